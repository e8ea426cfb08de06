#include "analysis/explain/both_sides.h"

#include "model/function.h"
#include "model/profile.h"
#include "stats/flow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace dragnet::explain {
namespace {

// Joins the functions of both sides by their new names.
class Joiner {
public:
  explicit Joiner(const Difference& difference) {
    for (const FunctionChange& change : difference.changes) {
      changes_.emplace(FunctionId{change.binary, change.name}, &change);
      if (!change.old_name.empty())
        new_names_.emplace(FunctionId{change.binary, change.old_name}, change.name);
    }
  }

  FunctionId renamed(const FunctionId& old_function) const {
    const auto found = new_names_.find(old_function);
    return found == new_names_.end() ? old_function
                                     : FunctionId{old_function.binary, found->second};
  }

  std::size_t at(const FunctionId& function) {
    const auto [found, added] = places_.emplace(function, sides.functions.size());
    if (added) {
      const auto change = changes_.find(function);
      sides.functions.push_back(function);
      sides.changes.push_back(change == changes_.end() ? nullptr : change->second);
    }
    return found->second;
  }

  BothSides sides;

private:
  std::map<FunctionId, const FunctionChange*> changes_;
  std::map<FunctionId, std::string> new_names_;
  std::map<FunctionId, std::size_t> places_;
};

template <class Name>
void add_side(Joiner& joiner, const Profile& profile, SideCalls& side, const Name& name) {
  const auto room_for = [&](std::size_t at) {
    side.own.resize(std::max(side.own.size(), at + 1));
    side.calls.resize(side.own.size());
    return at;
  };
  std::uint64_t inside = 0;
  for (const FunctionCounts& counts : profile.functions) {
    const std::size_t at = room_for(joiner.at(name(counts.function)));
    side.own[at] += static_cast<double>(counts.instructions);
    side.calls[at] += counts.calls;
    inside += counts.instructions;
  }
  for (const CallEdge& edge : profile.edges) {
    const std::size_t from = room_for(joiner.at(name(edge.caller)));
    const std::size_t to = room_for(joiner.at(name(edge.callee)));
    if (from != to && edge.calls > 0)
      side.arcs.push_back({from, to, static_cast<double>(edge.calls)});
  }
  side.total = static_cast<double>(std::max({profile.instructions, inside, std::uint64_t{1}}));
}

void finish(SideCalls& side, std::size_t functions) {
  side.own.resize(functions);
  side.calls.resize(functions);
  side.parts = stats::parts_of(side.arcs, functions);
}

} // namespace

BothSides both_sides(const Profile& before, const Profile& now, const Difference& difference) {
  Joiner joiner(difference);
  add_side(joiner, before, joiner.sides.before,
           [&](const FunctionId& function) { return joiner.renamed(function); });
  add_side(joiner, now, joiner.sides.now, [](const FunctionId& function) { return function; });
  finish(joiner.sides.before, joiner.sides.functions.size());
  finish(joiner.sides.now, joiner.sides.functions.size());
  return std::move(joiner.sides);
}

} // namespace dragnet::explain
