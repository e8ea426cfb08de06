#include "analysis/blame/paired_tree.h"

#include "analysis/blame/call_tree.h"
#include "model/profile.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace dragnet::blame {
namespace {

// The number of each old function among those of both sides.
std::vector<std::uint32_t> common_numbers(const TracedSide& old_side, PairedTree& tree,
                                          const std::map<FunctionId, FunctionId>& renamed) {
  std::map<FunctionId, std::uint32_t> numbers;
  for (const auto& function : tree.functions)
    numbers.emplace(function, static_cast<std::uint32_t>(numbers.size()));
  std::vector<std::uint32_t> common;
  for (const auto& function : old_side.functions) {
    const auto name = renamed.find(function);
    const auto& id = name == renamed.end() ? function : name->second;
    const auto [found, added] =
        numbers.emplace(id, static_cast<std::uint32_t>(tree.functions.size()));
    if (added)
      tree.functions.push_back(id);
    common.push_back(found->second);
  }
  return common;
}

class Pairing {
public:
  explicit Pairing(PairedTree& tree) : tree_(tree) { add_missing(); }

  template <class Number>
  void add(const TracedSide& side, Version version, const Number& number_of) {
    const auto& nodes = side.tree.nodes();
    std::vector<std::uint32_t> places(nodes.size(), CallTree::root);
    for (std::size_t i = 1; i < nodes.size(); ++i)
      places[i] = shape_.callee(places[nodes[i].parent], number_of(nodes[i].function));
    add_missing();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      tree_.nodes[places[i]].calls[version] += static_cast<double>(nodes[i].calls) / side.runs;
      tree_.nodes[places[i]].cost[version] += static_cast<double>(nodes[i].cost) / side.runs;
    }
  }

private:
  void add_missing() {
    for (std::size_t i = tree_.nodes.size(); i < shape_.nodes().size(); ++i)
      tree_.nodes.push_back(
          {.function = shape_.nodes()[i].function, .parent = shape_.nodes()[i].parent});
  }

  PairedTree& tree_;
  CallTree shape_;
};

} // namespace

PairedTree paired(const TracedSide& old_side, const TracedSide& new_side,
                  const std::map<FunctionId, FunctionId>& renamed) {
  PairedTree tree;
  tree.functions = new_side.functions;
  const auto common = common_numbers(old_side, tree, renamed);
  Pairing pairing(tree);
  pairing.add(new_side, New, [](std::uint32_t function) { return function; });
  pairing.add(old_side, Old, [&](std::uint32_t function) { return common[function]; });
  tree.nodes.front().calls = {1, 1};
  return tree;
}

std::vector<double> PairedTree::own_differences() const {
  std::vector<double> differences(functions.size());
  for (std::size_t i = 1; i < nodes.size(); ++i)
    differences[nodes[i].function] += nodes[i].cost[New] - nodes[i].cost[Old];
  return differences;
}

std::vector<double> PairedTree::subtree_differences() const {
  std::vector<double> differences(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    differences[i] += nodes[i].cost[New] - nodes[i].cost[Old];
    if (i > 0)
      differences[nodes[i].parent] += differences[i];
  }
  return differences;
}

} // namespace dragnet::blame
