#include "analysis/explain/call_tree.h"

#include "analysis/explain/both_sides.h"
#include "model/check.h"
#include "stats/flow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace dragnet::explain {
namespace {

// A pair of numbers, one for each side.
struct Both {
  double before = 0;
  double now = 0;
};

class Planter {
public:
  Planter(const BothSides& sides, const TreeLimits& limits)
      : sides_(sides), limits_(limits), ways_(sides.functions.size()),
        on_path_(sides.functions.size(), false), called_(sides.functions.size(), false) {
    before_ = stats::accumulated(sides.before.own, sides.before.arcs, sides.before.parts,
                                 sides.before.total);
    now_ = stats::accumulated(sides.now.own, sides.now.arcs, sides.now.parts, sides.now.total);
    add_ways(sides.before, &Both::before);
    add_ways(sides.now, &Both::now);
  }

  CallNode plant() {
    CallNode root{.function = "all",
                  .old_instructions = static_cast<std::uint64_t>(sides_.before.total),
                  .new_instructions = static_cast<std::uint64_t>(sides_.now.total),
                  .callees = {}};
    for (std::size_t i = 0; i < sides_.functions.size(); ++i)
      if (!called_[i])
        add(root, i, {1, 1}, 0);
    sort(root);
    return root;
  }

private:
  void add_ways(const SideCalls& side, double Both::* part) {
    for (std::size_t i = 0; i < side.arcs.size(); ++i) {
      ways_[side.arcs[i].from][side.arcs[i].to].*part += side.parts[i];
      called_[side.arcs[i].to] = true;
    }
  }

  bool is_small(double before, double now) const {
    return before < limits_.least_share * sides_.before.total &&
           now < limits_.least_share * sides_.now.total;
  }

  // `part`: of the function's cost that belongs here.
  void add(CallNode& caller, std::size_t function, Both part, std::size_t depth) {
    const double before = part.before * before_[function];
    const double now = part.now * now_[function];
    if (is_small(before, now) || on_path_[function] || depth > limits_.deepest ||
        places_ >= limits_.most_places)
      return;
    ++places_;
    on_path_[function] = true;
    CallNode node{.function = sides_.functions[function].name,
                  .old_instructions = static_cast<std::uint64_t>(before),
                  .new_instructions = static_cast<std::uint64_t>(now),
                  .callees = {}};
    for (const auto& [callee, way] : ways_[function])
      add(node, callee, {part.before * way.before, part.now * way.now}, depth + 1);
    on_path_[function] = false;
    sort(node);
    caller.callees.push_back(std::move(node));
  }

  static void sort(CallNode& node) {
    std::ranges::stable_sort(node.callees, [](const CallNode& a, const CallNode& b) {
      return std::max(a.old_instructions, a.new_instructions) >
             std::max(b.old_instructions, b.new_instructions);
    });
  }

  const BothSides& sides_;
  const TreeLimits& limits_;
  std::vector<std::map<std::size_t, Both>> ways_; ///< by caller, then by callee
  std::vector<double> before_;
  std::vector<double> now_;
  std::vector<bool> on_path_;
  std::vector<bool> called_;
  std::size_t places_ = 0;
};

} // namespace

CallNode call_tree(const BothSides& sides, const TreeLimits& limits) {
  return Planter(sides, limits).plant();
}

} // namespace dragnet::explain
