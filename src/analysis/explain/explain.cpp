#include "analysis/explain/explain.h"

#include "analysis/explain/both_sides.h"
#include "model/check.h"
#include "model/function.h"
#include "stats/flow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace dragnet::explain {
namespace {

// Costs that differ by less than this share of the run say nothing.
constexpr double least_share = 0.0005;

bool is_changed(const FunctionChange* change) {
  // A function that only got another name does the same as before.
  return change != nullptr && (change->kind != ChangeKind::Renamed || change->edited != 0);
}

CodeChange kind_of(const FunctionChange* change) {
  if (change == nullptr)
    return CodeChange::None;
  switch (change->kind) {
  case ChangeKind::Deleted:
    return CodeChange::Deleted;
  case ChangeKind::New:
    return CodeChange::New;
  case ChangeKind::Renamed:
    return CodeChange::Renamed;
  case ChangeKind::Changed:
    break;
  }
  return change->edited == 0 ? CodeChange::Data : CodeChange::Changed;
}

// What each function costs with the unchanged functions that it leads to; a changed one answers
// for itself.
std::vector<double> answered_for(const BothSides& sides, const SideCalls& side) {
  std::vector<stats::Arc> arcs;
  std::vector<double> parts;
  for (std::size_t i = 0; i < side.arcs.size(); ++i)
    if (!is_changed(sides.changes[side.arcs[i].to])) {
      arcs.push_back(side.arcs[i]);
      parts.push_back(side.parts[i]);
    }
  return stats::accumulated(side.own, arcs, parts, side.total);
}

FunctionCost cost_of(const SideCalls& side, std::size_t function) {
  return {.calls = side.calls[function],
          .instructions = static_cast<std::uint64_t>(side.own[function]),
          .share = side.own[function] / side.total};
}

bool is_executed(const BothSides& sides, std::size_t function) {
  return sides.before.own[function] > 0 || sides.now.own[function] > 0;
}

// Those that explain something come first, changed ones before others; changed ones that explain
// nothing come last, the largest share first.
auto rank_of(const ChangedFunction& function, double sign) {
  const bool tells = std::abs(function.explains) >= least_share;
  const bool changed = function.change != CodeChange::None;
  const double share = std::max(function.before.share, function.now.share);
  return std::tuple(tells ? (changed ? 0 : 1) : 2, tells ? -sign * function.explains : -share,
                    function.function);
}

} // namespace

std::vector<ChangedFunction> changed_functions(const BothSides& sides, Direction direction,
                                               std::size_t most) {
  const auto before = answered_for(sides, sides.before);
  const auto now = answered_for(sides, sides.now);
  std::vector<ChangedFunction> found;
  for (std::size_t i = 0; i < sides.functions.size(); ++i) {
    const FunctionChange* change = sides.changes[i];
    const bool changed = is_changed(change);
    const double more = changed ? now[i] - before[i] : sides.now.own[i] - sides.before.own[i];
    const double explains = more / sides.before.total;
    if (!is_executed(sides, i) || (!changed && std::abs(explains) < least_share))
      continue;
    found.push_back({.function = sides.functions[i],
                     .change = kind_of(change),
                     .before = cost_of(sides.before, i),
                     .now = cost_of(sides.now, i),
                     .explains = explains,
                     .inlined = change != nullptr ? change->inlined : std::vector<std::string>(),
                     .place = {}});
  }
  const double sign = direction == Direction::Worse ? 1 : -1;
  std::ranges::stable_sort(found, {}, [&](const ChangedFunction& f) { return rank_of(f, sign); });
  found.resize(std::min(found.size(), most));
  return found;
}

bool executes_nothing_changed(const BothSides& sides) {
  for (std::size_t i = 0; i < sides.functions.size(); ++i)
    if (is_changed(sides.changes[i]) && is_executed(sides, i))
      return false;
  return true;
}

WorkDifference work_difference(const BothSides& sides) {
  WorkDifference work;
  double changed_before = 0;
  double changed_now = 0;
  double inside_before = 0;
  double inside_now = 0;
  for (std::size_t i = 0; i < sides.functions.size(); ++i) {
    const double before = sides.before.own[i];
    const double now = sides.now.own[i];
    const bool changed = is_changed(sides.changes[i]);
    changed_before += changed ? before : 0;
    changed_now += changed ? now : 0;
    work.unchanged += changed ? 0 : std::abs(now - before);
    inside_before += before;
    inside_now += now;
  }
  const double all = sides.before.total;
  work.total = (sides.now.total / all) - 1;
  work.changed = std::max(changed_before / all, changed_now / sides.now.total);
  work.edited = std::abs(changed_now - changed_before) / all;
  work.unchanged /= all;
  work.outside =
      std::abs((sides.now.total - inside_now) - (sides.before.total - inside_before)) / all;
  return work;
}

} // namespace dragnet::explain
