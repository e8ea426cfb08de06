#include "hunt/change_trials.h"

#include "analysis/blame/answer.h"
#include "base/files.h"
#include "base/result.h"
#include "history/patched.h"
#include "lab/laboratory.h"
#include "lab/state.h"
#include "model/lab.h"
#include "model/run.h"

#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::hunt {
namespace {

using blame::Trial;
using blame::TrialOutcome;

std::optional<double> value_in(const Run& run, const std::string& metric) {
  const auto found = run.samples.find(metric);
  return run.finished() && found != run.samples.end() ? std::optional(found->second) : std::nullopt;
}

// The differences of pairs: their mean and its standard error.
Trial trial_of(const std::vector<double>& differences) {
  const auto count = static_cast<double>(differences.size());
  double sum = 0;
  for (const double each : differences)
    sum += each;
  const double mean = sum / count;
  double squares = 0;
  for (const double each : differences)
    squares += (each - mean) * (each - mean);
  return {.effect = mean, .error = count > 1 ? std::sqrt(squares / (count - 1) / count) : 0};
}

} // namespace

bool ChangeTrials::exact() const {
  return laboratory_.method_for(measuring_.metric) == Method::Counted;
}

Result<Trial> ChangeTrials::of(const std::vector<std::size_t>& numbers) {
  const auto known = known_.find(numbers);
  if (known != known_.end())
    return known->second;
  progress_.now(
      fmt::format("trying {} of {} parts of the change", numbers.size(), parts_.parts().size()),
      -1);
  const auto trial = TRY(tried(numbers));
  known_.emplace(numbers, trial);
  return trial;
}

Result<Trial> ChangeTrials::tried(const std::vector<std::size_t>& numbers) {
  const auto scratch = TRY(ScratchFolder::make(laboratory_.state().scratch()));
  const auto commit = TRY(history::patched(laboratory_.repository(), old_commit_,
                                           parts_.patch(numbers), scratch.path()));
  const auto before = TRY(laboratory_.build(old_commit_));
  const auto now = TRY(laboratory_.build(commit));
  if (before.outcome != BuildOutcome::Built || now.outcome != BuildOutcome::Built)
    return Trial{.outcome = TrialOutcome::DoesNotBuild};
  return exact() ? counted(before, now) : timed(before, now);
}

Result<Trial> ChangeTrials::counted(const Build& before, const Build& now) {
  const auto old_runs = TRY(laboratory_.runs(before, measuring_.benchmark, Method::Counted, 1));
  const auto new_runs = TRY(laboratory_.runs(now, measuring_.benchmark, Method::Counted, 1));
  const auto old_value = value_in(old_runs.front(), measuring_.metric);
  const auto new_value = value_in(new_runs.front(), measuring_.metric);
  if (!old_value || !new_value)
    return Trial{.outcome = TrialOutcome::Fails};
  old_value_ = *old_value;
  return Trial{.effect = *new_value - *old_value};
}

Result<Trial> ChangeTrials::timed(const Build& before, const Build& now) {
  const Duel duel{before, now, measuring_.benchmark, Method::Timed};
  auto pairs = TRY(laboratory_.kept_pairs(duel));
  while (pairs.size() < measuring_.pairs && (pairs.empty() || pairs.back().finished()))
    pairs.push_back(TRY(laboratory_.measure_pair(
        duel, pairs.size() % 2 == 0 ? Order::BaseFirst : Order::CandidateFirst)));
  std::vector<double> differences;
  double sum = 0;
  for (const Pair& pair : pairs) {
    const auto old_value = value_in(pair.base, measuring_.metric);
    const auto new_value = value_in(pair.candidate, measuring_.metric);
    if (!old_value || !new_value)
      return Trial{.outcome = TrialOutcome::Fails};
    sum += *old_value;
    differences.push_back(*new_value - *old_value);
  }
  old_value_ = sum / static_cast<double>(pairs.size());
  return trial_of(differences);
}

} // namespace dragnet::hunt
