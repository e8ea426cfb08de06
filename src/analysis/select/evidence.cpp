#include "analysis/select/evidence.h"

#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

using Touch = std::pair<std::size_t, Touched>; // where it stands in the profile, and what it is

const std::string& name_when_profiled(const FunctionChange& change) {
  return change.kind == ChangeKind::Renamed ? change.old_name : change.name;
}

// Constructors of global objects run before main, without a caller in the program.
bool starts_by_itself(const FunctionChange& change) {
  return change.name.starts_with("_GLOBAL__sub_I") || change.name.starts_with("_GLOBAL__I");
}

// A function that only got another name does the same as before.
bool does_nothing_new(const FunctionChange& change) {
  return change.kind == ChangeKind::Renamed && change.edited == 0;
}

// How often an instruction was executed. Where only the sum is known, all are alike.
double executed_at(const FunctionCounts& counts, const FunctionChange& change,
                   std::uint32_t instruction) {
  if (counts.stretches.empty())
    return static_cast<double>(counts.instructions) / std::max(1U, change.old_instructions);
  const auto after = std::ranges::upper_bound(counts.stretches, instruction, {}, &Stretch::first);
  return after == counts.stretches.begin() ? 0 : static_cast<double>(std::prev(after)->executed);
}

// What is put in runs as often as what it stands for; where it stands for nothing, as often as the
// rarer of its neighbours, and at most as often as the more frequent one.
void weigh(const Hunk& hunk, const FunctionCounts& counts, Touched& touch) {
  const FunctionChange& change = *touch.change;
  double taken = 0;
  double most = 0;
  for (std::uint32_t i = 0; i < hunk.old_count; ++i) {
    const double executed = executed_at(counts, change, hunk.old_first + i);
    taken += executed;
    most = std::max(most, executed);
  }
  const double before = hunk.old_first == 0 ? 0 : executed_at(counts, change, hunk.old_first - 1);
  const double after = executed_at(counts, change, hunk.old_first + hunk.old_count);
  const double usual = hunk.old_count > 0 ? taken / hunk.old_count : std::min(before, after);
  const double gone =
      hunk.old_count == 0 ? 0 : taken * (hunk.old_count - hunk.moved_out) / hunk.old_count;
  const double come = hunk.new_count - hunk.moved_in;
  touch.net += (come * usual) - gone;
  touch.gross += (come * std::max({most, before, after})) + gone;
}

void weigh_edits(const FunctionCounts& counts, Touched& touch) {
  if (touch.change->kind == ChangeKind::Deleted) {
    touch.net = -static_cast<double>(counts.instructions);
    touch.gross = static_cast<double>(counts.instructions);
  }
  for (const Hunk& hunk : touch.change->hunks)
    weigh(hunk, counts, touch);
}

std::vector<Touch> executed_changes(const Difference& difference, const Executed& executed) {
  std::vector<Touch> touched;
  for (const FunctionChange& change : difference.changes) {
    if (change.kind == ChangeKind::New || does_nothing_new(change))
      continue;
    const auto at = executed.find(change.binary, name_when_profiled(change));
    if (!at)
      continue;
    const double edited = change.kind == ChangeKind::Deleted ? 1 : change.share();
    touched.emplace_back(*at, Touched{.change = &change,
                                      .share = executed.share(*at),
                                      .inclusive = 0,
                                      .calls = static_cast<double>(executed.counts(*at).calls),
                                      .edited = edited});
    weigh_edits(executed.counts(*at), touched.back().second);
  }
  return touched;
}

void divide(const std::vector<Touch>& touched, Evidence& evidence) {
  for (const auto& [at, touch] : touched) {
    const bool only_data = touch.change->kind == ChangeKind::Changed && touch.change->edited == 0;
    (only_data ? evidence.data : evidence.code).push_back(touch);
  }
  std::ranges::stable_sort(evidence.code, std::greater<>{},
                           [](const Touched& touch) { return touch.share * touch.edited; });
  std::ranges::stable_sort(evidence.data, std::greater<>{}, &Touched::share);
}

void add_new_code(const Difference& difference, Evidence& evidence) {
  for (const FunctionChange& change : difference.changes) {
    if (change.kind != ChangeKind::New)
      continue;
    if (starts_by_itself(change))
      evidence.start_up.push_back(&change);
    else if (!evidence.code.empty() || !evidence.data.empty())
      evidence.new_code.push_back(&change);
  }
  std::ranges::stable_sort(evidence.new_code, std::greater<>{}, &FunctionChange::new_instructions);
}

void add_libraries(const Executed& executed, const Circumstances& circumstances,
                   Evidence& evidence) {
  for (const ForeignLibrary& library : executed.profile().libraries)
    if (std::ranges::find(circumstances.libraries, library.path) != circumstances.libraries.end())
      evidence.libraries.push_back(
          {.path = library.path,
           .share = std::max(executed.share_of(library.instructions), executed.share_of(1))});
}

} // namespace

Evidence gather(const Difference& difference, const Executed& executed,
                const Circumstances& circumstances) {
  Evidence evidence;
  evidence.changes = difference.changes.size();
  std::vector<Touch> touched = executed_changes(difference, executed);
  if (!touched.empty()) {
    const std::vector<double> inclusive = executed.inclusive_shares();
    for (auto& [at, touch] : touched)
      touch.inclusive = inclusive[at];
  }
  divide(touched, evidence);
  add_new_code(difference, evidence);
  add_libraries(executed, circumstances, evidence);
  return evidence;
}

} // namespace dragnet::select
