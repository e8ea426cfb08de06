#include "analysis/compare/compare.h"

#include "analysis/compare/confirmation.h"
#include "analysis/compare/judge.h"
#include "analysis/compare/schedule.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "model/benchmark.h"
#include "model/lab.h"
#include "model/metric.h"
#include "model/run.h"
#include "model/verdict.h"
#include "stats/order.h"

#include <cstddef>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::compare {
namespace {

// One duel and the rows that its pairs feed.
struct Contest {
  Duel duel;
  std::vector<std::size_t> rows;
  double worth = 1;
  std::size_t pairs = 0;
  double seconds = 0;
};

class Campaign {
public:
  Campaign(Lab& lab, const Question& question, Progress& progress)
      : lab_(lab), question_(question), progress_(progress) {}

  Result<Comparison> carry_out();

private:
  void set_up();
  Result<> recall();
  Result<> replay();
  Result<> measure();
  Result<bool> measure_round();
  Result<bool> measure_best();
  Result<> measure_next(Contest& contest);
  void take(Contest& contest, const Pair& pair);
  static void take_sample(Row& row, const Pair& pair);
  void add_row(const Benchmark& benchmark, const std::string& metric);
  Contest& contest_of(const Benchmark& benchmark, Method method);
  double worth_of(const Benchmark& benchmark) const;
  void assess_rows(const Contest& contest);
  void judge_all();
  void confirm(Row& row) const;
  double pairs_left(const Contest& contest) const;
  bool is_open(const Contest& contest) const;
  bool budget_left() const { return comparison_.seconds < question_.budget.count(); }
  double share_done() const;

  Lab& lab_;
  const Question& question_;
  Progress& progress_;
  std::vector<Contest> contests_;
  Comparison comparison_;
};

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

Order order_of(const Duel& duel, std::size_t pair) {
  const auto seed = seed_of(duel.base.key + duel.candidate.key + duel.benchmark.name);
  return stats::new_first(seed, pair) ? Order::CandidateFirst : Order::BaseFirst;
}

Contest& Campaign::contest_of(const Benchmark& benchmark, Method method) {
  for (auto& contest : contests_)
    if (contest.duel.benchmark.name == benchmark.name && contest.duel.method == method)
      return contest;
  return contests_.emplace_back(
      Contest{{question_.base, question_.candidate, benchmark, method}, {}, worth_of(benchmark)});
}

double Campaign::worth_of(const Benchmark& benchmark) const {
  for (std::size_t i = 0; i < question_.worth.size(); ++i)
    if (question_.benchmarks[i].name == benchmark.name)
      return question_.worth[i];
  return 1;
}

void Campaign::add_row(const Benchmark& benchmark, const std::string& metric) {
  Row row;
  row.benchmark = benchmark.name;
  row.metric = metric_named(metric);
  row.method = lab_.method_for(metric);
  row.evidence.better = row.metric.better;
  row.evidence.smallest_effect = benchmark.smallest_effect_of(metric);
  contest_of(benchmark, row.method).rows.push_back(comparison_.rows.size());
  comparison_.rows.push_back(std::move(row));
}

void Campaign::set_up() {
  comparison_.base = question_.base;
  comparison_.candidate = question_.candidate;
  comparison_.budget = question_.budget;
  for (const auto& benchmark : question_.benchmarks)
    for (const auto& metric : benchmark.metrics)
      add_row(benchmark, metric);
}

void Campaign::take_sample(Row& row, const Pair& pair) {
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

void Campaign::take(Contest& contest, const Pair& pair) {
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

void Campaign::assess_rows(const Contest& contest) {
  for (const std::size_t index : contest.rows) {
    Row& row = comparison_.rows[index];
    if (is_settled(row))
      continue;
    row.evidence.nature = nature_of(row);
    row.assessment = assess(row.evidence, question_.rule);
  }
}

void Campaign::judge_all() {
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
void Campaign::confirm(Row& row) const {
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

bool Campaign::is_open(const Contest& contest) const {
  return std::ranges::any_of(contest.rows,
                             [&](std::size_t index) { return !comparison_.rows[index].decided(); });
}

// The larger of two shares: of the rows that are decided, and of the budget that is spent.
double Campaign::share_done() const {
  const auto decided = std::ranges::count_if(comparison_.rows, &Row::decided);
  return std::max(static_cast<double>(decided) / static_cast<double>(comparison_.rows.size()),
                  comparison_.seconds / question_.budget.count());
}

Result<> Campaign::recall() {
  if (question_.confirm)
    return replay();
  for (auto& contest : contests_) {
    for (const auto& pair : TRY(lab_.kept_pairs(contest.duel)))
      take(contest, pair);
    comparison_.pairs_kept += contest.pairs;
    assess_rows(contest);
  }
  judge_all();
  return success();
}

// Takes the kept pairs in the order in which they were measured, and looks after each: which of
// them are fresh depends on when a regression was first seen.
Result<> Campaign::replay() {
  std::vector<std::pair<std::size_t, Pair>> kept; // with the place of their contest
  for (std::size_t i = 0; i < contests_.size(); ++i)
    for (auto& pair : TRY(lab_.kept_pairs(contests_[i].duel)))
      kept.emplace_back(i, std::move(pair));
  std::ranges::stable_sort(kept, {}, [](const auto& one) {
    return std::min(one.second.base.started, one.second.candidate.started);
  });
  for (const auto& [contest, pair] : kept) {
    take(contests_[contest], pair);
    assess_rows(contests_[contest]);
    judge_all();
  }
  comparison_.pairs_kept = kept.size();
  return success();
}

Result<> Campaign::measure_next(Contest& contest) {
  progress_.now(fmt::format("{}: pair {}", contest.duel.benchmark.name, contest.pairs + 1),
                share_done());
  const auto pair = TRY(lab_.measure_pair(contest.duel, order_of(contest.duel, contest.pairs)));
  take(contest, pair);
  ++comparison_.pairs_measured;
  assess_rows(contest);
  judge_all();
  if (!is_open(contest))
    progress_.finished(
        fmt::format("{}: decided after {} pairs", contest.duel.benchmark.name, contest.pairs));
  return success();
}

// One pair for each open contest, so that all see the same weather; false when there is nothing
// left to do.
Result<bool> Campaign::measure_round() {
  bool measured = false;
  for (auto& contest : contests_) {
    if (!is_open(contest) || !budget_left())
      continue;
    TRY(measure_next(contest));
    measured = true;
  }
  return measured;
}

// The nearest decision of those that are open.
double Campaign::pairs_left(const Contest& contest) const {
  double least = 1e9;
  for (const std::size_t index : contest.rows) {
    const Row& row = comparison_.rows[index];
    if (!row.decided())
      least = std::min(least, pairs_to_decision(row.assessment, row.evidence.smallest_effect));
  }
  return least;
}

// One pair where it is worth most.
Result<bool> Campaign::measure_best() {
  std::vector<Contest*> open;
  std::vector<Opportunity> opportunities;
  for (auto& contest : contests_) {
    if (!is_open(contest))
      continue;
    open.push_back(&contest);
    const double seconds =
        contest.pairs == 0 ? 0 : contest.seconds / static_cast<double>(contest.pairs);
    opportunities.push_back(
        {.worth = contest.worth, .pair_seconds = seconds, .pairs_left = pairs_left(contest)});
  }
  if (open.empty() || !budget_left())
    return false;
  TRY(measure_next(*open[best(opportunities)]));
  return true;
}

Result<> Campaign::measure() {
  while (TRY(question_.worth.empty() ? measure_round() : measure_best())) {
  }
  return success();
}

void mention_unmeasured(Comparison& comparison) {
  const std::string why = comparison.stopped_by
                              ? "it ended before its first pair: " + comparison.stopped_by->what
                              : "the budget was spent before its first pair";
  for (auto& row : comparison.rows)
    if (!row.decided() && row.assessment.pairs == 0)
      row.judgement = {Verdict::NotMeasured, why};
}

Result<Comparison> Campaign::carry_out() {
  set_up();
  if (question_.same_programs) {
    for (Row& row : comparison_.rows)
      row.judgement = {Verdict::Unchanged, "both commits build the same code and data"};
    return std::move(comparison_);
  }
  TRY(recall());
  if (auto measured = measure(); !measured)
    comparison_.stopped_by = std::move(measured).error();
  mention_unmeasured(comparison_);
  return std::move(comparison_);
}

} // namespace

Result<Comparison> compare(Lab& lab, const Question& question, Progress& progress) {
  return Campaign(lab, question, progress).carry_out();
}

std::size_t count(const Comparison& comparison, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      comparison.rows, [&](const Row& row) { return row.judgement.verdict == verdict; }));
}

int exit_status(const Comparison& comparison) {
  if (count(comparison, Verdict::Regressed) > 0)
    return 1;
  if (count(comparison, Verdict::Failed) > 0)
    return 2;
  const std::size_t unmeasured = count(comparison, Verdict::NotMeasured);
  if (unmeasured == comparison.rows.size())
    return 4;
  return count(comparison, Verdict::Inconclusive) > 0 || unmeasured > 0 ? 3 : 0;
}

} // namespace dragnet::compare
