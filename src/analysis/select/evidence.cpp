#include "analysis/select/evidence.h"

#include "analysis/select/edit_costs.h"
#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

using Touch = std::pair<std::size_t, Touched>; // where it stands in the profile, and what it is

const std::string& name_when_profiled(const FunctionChange& change) {
  return change.old_name.empty() ? change.name : change.old_name;
}

// Constructors of global objects run before main, without a caller in the program.
bool starts_by_itself(const FunctionChange& change) {
  return change.name.starts_with("_GLOBAL__sub_I") || change.name.starts_with("_GLOBAL__I");
}

// A function that only got another name does the same as before.
bool does_nothing_new(const FunctionChange& change) {
  return change.kind == ChangeKind::Renamed && change.edited == 0;
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
                                      .edited = edited,
                                      .cost = {}});
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
    const EditCosts costs(difference, executed, inclusive);
    for (auto& [at, touch] : touched) {
      touch.inclusive = inclusive[at];
      touch.cost = costs.of(*touch.change, at);
    }
  }
  divide(touched, evidence);
  add_new_code(difference, evidence);
  add_libraries(executed, circumstances, evidence);
  return evidence;
}

} // namespace dragnet::select
