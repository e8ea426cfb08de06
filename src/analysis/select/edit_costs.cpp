#include "analysis/select/edit_costs.h"

#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace dragnet::select {

// Calls of one function that are put in or taken away in one place.
struct EditCosts::Call {
  const CallEdit* edit = nullptr;
  double executed = 0; // how often the place is
  double cost = 0;     // of one call
  bool known = false;  // the callee was called before
};

namespace {

// How often an instruction was executed. Where only the sum is known, all are alike.
double executed_at(const FunctionCounts& counts, const FunctionChange& change,
                   std::uint32_t instruction) {
  if (counts.stretches.empty())
    return static_cast<double>(counts.instructions) / std::max(1U, change.old_instructions);
  const auto after = std::ranges::upper_bound(counts.stretches, instruction, {}, &Stretch::first);
  return after == counts.stretches.begin() ? 0 : static_cast<double>(std::prev(after)->executed);
}

double executed_at(const FunctionCounts& counts, const FunctionChange& change,
                   const EditPlace& place) {
  const auto most = [&](const std::vector<std::uint32_t>& instructions) {
    double executed = 0;
    for (const std::uint32_t instruction : instructions)
      executed = std::max(executed, executed_at(counts, change, instruction));
    return executed;
  };
  return place.after.empty() ? most(place.before) : std::min(most(place.before), most(place.after));
}

// What is put in runs at most as often as the most frequent of what it stands for and what stands
// around it.
double gross_of(const Hunk& hunk, const FunctionCounts& counts, const FunctionChange& change) {
  double taken = 0;
  double most = 0;
  for (std::uint32_t i = 0; i < hunk.old_count; ++i) {
    const double executed = executed_at(counts, change, hunk.old_first + i);
    taken += executed;
    most = std::max(most, executed);
  }
  const double before = hunk.old_first == 0 ? 0 : executed_at(counts, change, hunk.old_first - 1);
  const double after = executed_at(counts, change, hunk.old_first + hunk.old_count);
  const double gone =
      hunk.old_count == 0 ? 0 : taken * (hunk.old_count - hunk.moved_out) / hunk.old_count;
  const double come = hunk.new_count - hunk.moved_in;
  return (come * std::max({most, before, after})) + gone;
}

bool puts_in(const CallEdit& edit) {
  return edit.calls > 0;
}

} // namespace

EditCosts::EditCosts(const Difference& difference, const Executed& executed,
                     const std::vector<double>& inclusive)
    : executed_(executed), inclusive_(inclusive) {
  for (const FunctionChange& change : difference.changes) {
    if (!change.old_name.empty())
      old_names_.emplace(FunctionId{change.binary, change.name}, change.old_name);
    if (change.kind == ChangeKind::Deleted)
      deleted_.insert({change.binary, change.name});
  }
}

EditCost EditCosts::of(const FunctionChange& change, std::size_t at) const {
  const FunctionCounts& counts = executed_.counts(at);
  EditCost cost;
  if (change.kind == ChangeKind::Deleted) {
    cost.net = -static_cast<double>(counts.instructions);
    cost.gross = static_cast<double>(counts.instructions);
  }
  for (const Edit& edit : change.edits)
    (edit.place.certain ? cost.net : cost.doubtful) +=
        edit.instructions * executed_at(counts, change, edit.place);
  for (const Hunk& hunk : change.hunks)
    cost.gross += gross_of(hunk, counts, change);
  add_calls(change, at, cost);
  return cost;
}

// A function that is not there any more was inlined as a rule, and what it did is still done.
void EditCosts::add_calls(const FunctionChange& change, std::size_t at, EditCost& cost) const {
  for (const Call& call : calls_left(change, at)) {
    const double weight = call.edit->calls * call.executed * call.cost;
    const bool deleted = deleted_.contains({change.binary, call.edit->callee});
    if (call.edit->place.certain && call.known && !deleted)
      cost.called += weight;
    else
      cost.doubtful_calls += std::abs(weight);
  }
}

FunctionId EditCosts::old_callee(const CallEdit& call, const std::string& binary) const {
  FunctionId id{binary, call.callee};
  if (const auto renamed = old_names_.find(id); puts_in(call) && renamed != old_names_.end())
    id.name = renamed->second;
  return id;
}

// With all that it calls: what it cost so far; of a function that was not called yet, half its code
// once.
double EditCosts::cost_of(const CallEdit& call, const FunctionId& callee) const {
  constexpr double usual_part = 0.5;
  const auto at = executed_.find(callee.binary, callee.name);
  if (!at || executed_.counts(*at).calls == 0)
    return usual_part * call.length;
  return inclusive_[*at] * static_cast<double>(executed_.profile().instructions) /
         static_cast<double>(executed_.counts(*at).calls);
}

namespace {

// Calls of one function that are taken away here and put in there only moved: the most executed
// with the most executed. What is left is put in or taken away for good.
template <class Calls>
void cancel_moved(Calls& calls) {
  std::ptrdiff_t more = 0;
  for (const auto& call : calls)
    more += puts_in(*call.edit) ? 1 : -1;
  std::erase_if(calls, [&](const auto& call) { return puts_in(*call.edit) != (more > 0); });
  std::ranges::stable_sort(calls, {}, [](const auto& call) { return call.executed; });
  calls.resize(static_cast<std::size_t>(std::abs(more)));
}

// Where a function that was never called takes the place of another, it is not to be expected that
// it costs anything else.
template <class Calls>
void cancel_replaced(Calls& calls) {
  for (auto& come : calls) {
    if (!puts_in(*come.edit) || come.known)
      continue;
    const auto gone = std::ranges::find_if(calls, [&](const auto& call) {
      return !puts_in(*call.edit) && call.cost > 0 &&
             call.edit->place.before == come.edit->place.before;
    });
    if (gone != calls.end())
      gone->cost = come.cost = 0;
  }
}

} // namespace

std::vector<EditCosts::Call> EditCosts::calls_left(const FunctionChange& change,
                                                   std::size_t at) const {
  const FunctionCounts& counts = executed_.counts(at);
  std::map<FunctionId, std::vector<Call>> by_callee;
  for (const CallEdit& call : change.calls) {
    const FunctionId callee = old_callee(call, change.binary);
    by_callee[callee].push_back({.edit = &call,
                                 .executed = executed_at(counts, change, call.place),
                                 .cost = cost_of(call, callee),
                                 .known = executed_.find(callee.binary, callee.name).has_value()});
  }
  std::vector<Call> left;
  for (auto& [callee, calls] : by_callee) {
    cancel_moved(calls);
    std::ranges::copy(calls, std::back_inserter(left));
  }
  cancel_replaced(left);
  return left;
}

} // namespace dragnet::select
