#include "analysis/explain/stack_tree.h"

#include "analysis/explain/call_tree.h"
#include "analysis/explain/trails.h"
#include "analysis/explain/watched.h"
#include "model/check.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/stacks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace dragnet::explain {
namespace {

// A node while uses are put into it.
struct Place {
  FunctionId function;
  std::uint64_t before = 0;
  std::uint64_t now = 0;
  std::map<std::size_t, Place> callees; ///< by the function's number
};

class Planter {
public:
  Planter(const Difference& difference, const TreeQuestion& question)
      : numbers_(Detail::Complete, difference), question_(question) {
    root_.function.name = "all";
  }

  void add(const StackProfile& profile, Age age) {
    for (const StackUse& use : profile.uses)
      if (use.metric == question_.metric)
        add(profile, use, age);
  }

  CallNode plant() { return cut(root_); }

private:
  void add(const StackProfile& profile, const StackUse& use, Age age) {
    const std::uint64_t weight = question_.quantity == Quantity::Amount ? use.amount : use.calls;
    Place* place = &root_;
    const auto grow = [&](Place& one) { (age == Age::Old ? one.before : one.now) += weight; };
    grow(*place);
    std::size_t depth = 0;
    for (const std::size_t number : profile.stacks[use.stack]) {
      if (++depth > question_.limits.deepest)
        break;
      const FunctionId& function = profile.frames[number].function;
      const std::size_t key =
          age == Age::Old ? numbers_.old_function(function) : numbers_.new_function(function);
      place = &place->callees[key];
      if (age == Age::New || place->function.name.empty())
        place->function = function;
      grow(*place);
    }
  }

  bool is_small(const Place& place) const {
    const double least = question_.limits.least_share;
    return static_cast<double>(place.before) < least * static_cast<double>(root_.before) &&
           static_cast<double>(place.now) < least * static_cast<double>(root_.now);
  }

  CallNode cut(const Place& place) {
    CallNode node{.function = place.function.name,
                  .old_instructions = place.before,
                  .new_instructions = place.now,
                  .callees = {}};
    for (const auto& [number, callee] : place.callees) {
      if (is_small(callee) || places_ >= question_.limits.most_places)
        continue;
      ++places_;
      node.callees.push_back(cut(callee));
    }
    std::ranges::stable_sort(node.callees, [](const CallNode& a, const CallNode& b) {
      return std::max(a.old_instructions, a.new_instructions) >
             std::max(b.old_instructions, b.new_instructions);
    });
    return node;
  }

  FunctionNumbers numbers_;
  const TreeQuestion& question_;
  Place root_;
  std::size_t places_ = 0;
};

} // namespace

CallNode stack_tree(const StackProfile& before, const StackProfile& now,
                    const Difference& difference, const TreeQuestion& question) {
  Planter planter(difference, question);
  planter.add(before, Age::Old);
  planter.add(now, Age::New);
  return planter.plant();
}

} // namespace dragnet::explain
