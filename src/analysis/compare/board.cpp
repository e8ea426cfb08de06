#include "analysis/compare/board.h"

#include "analysis/compare/compare.h"
#include "analysis/compare/confirmation.h"
#include "analysis/compare/judge.h"
#include "base/units.h"
#include "model/benchmark.h"
#include "model/lab.h"
#include "model/metric.h"
#include "model/run.h"
#include "model/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::compare {
namespace {

// A verdict that no number of pairs can change, because there are no values to judge.
bool is_settled(const Row& row) {
  return row.judgement.verdict == Verdict::Failed || row.judgement.verdict == Verdict::NotMeasured;
}

std::string describe(const Run& run) {
  switch (run.outcome) {
  case RunOutcome::Failed:
    return run.status == 0 ? "failed" : fmt::format("failed with exit status {}", run.status);
  case RunOutcome::Crashed:
    return fmt::format("crashed with signal {}", run.status);
  case RunOutcome::TimedOut:
    return "took longer than its timeout";
  case RunOutcome::NotStarted:
    return "could not be started";
  case RunOutcome::Finished:
    break;
  }
  return "finished";
}

void settle_as_failed(Row& row, const Pair& pair) {
  row.judgement.verdict = Verdict::Failed;
  const bool base_failed = !pair.base.finished();
  const bool candidate_failed = !pair.candidate.finished();
  const Run& failed = candidate_failed ? pair.candidate : pair.base;
  row.judgement.rule = fmt::format("it {} on {}", describe(failed),
                                   base_failed && candidate_failed ? "both sides"
                                   : candidate_failed              ? "the new side"
                                                                   : "the base side");
  row.log = failed.log;
}

// One counted run a side is the truth for a deterministic program, and enough to see that nothing
// changed. A change is confirmed by a second run a side, because some programs are not
// deterministic.
Evidence::Nature nature_of(const Row& row) {
  if (row.metric.nature == Nature::Noisy)
    return Evidence::Nature::Noisy;
  if (row.method != Method::Counted || row.evidence.old_values.size() != 1)
    return Evidence::Nature::Count;
  const double change = (row.evidence.new_values[0] / row.evidence.old_values[0]) - 1;
  return std::fabs(change) < row.evidence.smallest_effect / 2 ? Evidence::Nature::Exact
                                                              : Evidence::Nature::Count;
}

} // namespace

Contest& Board::contest_of(const Benchmark& benchmark, Method method) {
  for (auto& contest : contests_)
    if (contest.duel.benchmark.name == benchmark.name && contest.duel.method == method)
      return contest;
  return contests_.emplace_back(
      Contest{{question_.base, question_.candidate, benchmark, method}, {}, worth_of(benchmark)});
}

double Board::worth_of(const Benchmark& benchmark) const {
  for (std::size_t i = 0; i < question_.worth.size(); ++i)
    if (question_.benchmarks[i].name == benchmark.name)
      return question_.worth[i];
  return 1;
}

void Board::add_row(const Lab& lab, const Benchmark& benchmark, const std::string& metric) {
  Row row;
  row.benchmark = benchmark.name;
  row.metric = metric_named(metric);
  row.method = lab.method_for(metric);
  row.evidence.better = row.metric.better;
  row.evidence.smallest_effect = benchmark.smallest_effect_of(metric);
  contest_of(benchmark, row.method).rows.push_back(comparison_.rows.size());
  comparison_.rows.push_back(std::move(row));
}

Board::Board(const Lab& lab, const Question& question) : question_(question) {
  comparison_.base = question_.base;
  comparison_.candidate = question_.candidate;
  comparison_.budget = question_.budget;
  for (const auto& benchmark : question_.benchmarks)
    for (const auto& metric : benchmark.metrics)
      add_row(lab, benchmark, metric);
}

void Board::take_sample(Row& row, const Pair& pair) {
  const auto old_value = pair.base.samples.find(row.metric.name);
  const auto new_value = pair.candidate.samples.find(row.metric.name);
  if (old_value == pair.base.samples.end() || new_value == pair.candidate.samples.end()) {
    row.judgement = {Verdict::NotMeasured,
                     "this machine does not account " + row.metric.name + " for it"};
    return;
  }
  row.evidence.old_values.push_back(old_value->second);
  row.evidence.new_values.push_back(new_value->second);
}

void Board::take(Contest& contest, const Pair& pair) {
  ++contest.pairs;
  contest.seconds += pair.seconds();
  comparison_.seconds += pair.seconds();
  for (const std::size_t index : contest.rows) {
    Row& row = comparison_.rows[index];
    if (is_settled(row))
      continue;
    if (pair.finished())
      take_sample(row, pair);
    else
      settle_as_failed(row, pair);
  }
}

void Board::assess_rows(const Contest& contest) {
  for (const std::size_t index : contest.rows) {
    Row& row = comparison_.rows[index];
    if (is_settled(row))
      continue;
    row.evidence.nature = nature_of(row);
    row.assessment = assess(row.evidence, question_.rule);
  }
}

void Board::judge_all() {
  std::vector<Evidence> evidence;
  std::vector<Assessment> assessments;
  for (const auto& row : comparison_.rows) {
    evidence.push_back(row.evidence);
    assessments.push_back(row.assessment);
  }
  auto judgements = judge(evidence, assessments, question_.rule);
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    Row& row = comparison_.rows[i];
    const bool untouched = row.assessment.pairs + row.assessment.dropped == 0;
    if (is_settled(row) || untouched)
      continue;
    row.judgement = std::move(judgements[i]);
    if (question_.confirm)
      confirm(row);
  }
}

// From the first alarm on, the fresh pairs decide. Counts that repeat need no more: their second
// pair has confirmed them.
void Board::confirm(Row& row) const {
  Judgement& judgement = row.judgement;
  if (!row.first_fresh && judgement.verdict == Verdict::Regressed && !row.assessment.exact)
    row.first_fresh = row.evidence.old_values.size();
  if (!row.first_fresh)
    return;
  const std::size_t fresh = row.evidence.old_values.size() - *row.first_fresh;
  switch (confirmation(row.evidence, *row.first_fresh, question_.rule)) {
  case Confirmation::Confirmed:
    judgement = {Verdict::Regressed,
                 fmt::format("{} pairs showed it, and {} fresh pairs confirm it: {}",
                             *row.first_fresh, fresh, format_change(row.assessment.change))};
    return;
  case Confirmation::Refuted:
    judgement = {Verdict::Unchanged,
                 fmt::format("{} pairs looked slower, but {} fresh pairs rule out the smallest "
                             "interesting effect, {:.3g} %",
                             *row.first_fresh, fresh, 100 * row.evidence.smallest_effect)};
    return;
  case Confirmation::Open:
    judgement = {Verdict::Inconclusive,
                 fmt::format("{} in {} pairs, which {} fresh pairs do not confirm yet",
                             format_change(row.assessment.change), *row.first_fresh, fresh)};
  }
}

bool Board::is_open(const Contest& contest) const {
  return std::ranges::any_of(contest.rows,
                             [&](std::size_t index) { return !comparison_.rows[index].decided(); });
}

} // namespace dragnet::compare
