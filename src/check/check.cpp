#include "check/check.h"

#include "analysis/compare/compare.h"
#include "analysis/select/reasons.h"
#include "analysis/select/select.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/text.h"
#include "base/units.h"
#include "check/explanation.h"
#include "check/learning.h"
#include "check/prediction.h"
#include "check/question.h"
#include "check/ranking.h"
#include "check/stopwatch.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "lab/together.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/commit.h"
#include "model/run.h"
#include "model/verdict.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

Verdict weightiest(const std::vector<CheckedMetric>& metrics) {
  Verdict found = Verdict::Unchanged;
  for (const CheckedMetric& metric : metrics)
    if (weight(metric.verdict) < weight(found))
      found = metric.verdict;
  return metrics.empty() ? Verdict::NotMeasured : found;
}

CheckedMetric checked_metric(const compare::Row& row) {
  CheckedMetric metric;
  metric.metric = row.metric;
  metric.method = row.method;
  metric.verdict = row.judgement.verdict;
  metric.rule = row.judgement.rule;
  metric.old_values = row.evidence.old_values;
  metric.new_values = row.evidence.new_values;
  metric.confirmed = row.first_fresh;
  metric.smallest_effect = row.evidence.smallest_effect;
  metric.change = row.assessment.change;
  metric.low = row.assessment.low;
  metric.high = row.assessment.high;
  metric.p_value = row.assessment.p_value;
  metric.exact = row.assessment.exact;
  return metric;
}

// Of the budget, at most so much goes to counting before anything is timed,
constexpr double share_for_counting = 0.25;
// and so much is kept for a second look at what moved.
constexpr double share_for_placement = 0.1;

class Check {
public:
  Check(lab::Laboratory& laboratory, const CheckRequest& request, Progress& progress)
      : laboratory_(laboratory), request_(request), progress_(progress) {}

  Result<CheckAnswer> carry_out();

private:
  CheckedCommit& checked() { return answer_.checked; }
  void describe();
  Result<bool> build();
  Result<> choose();
  Result<> find_older_base();
  Result<> profile_base();
  Result<> predict();
  Result<std::vector<Commit>> bases() const;
  void dismiss_all();
  bool is_measured(const CheckedBenchmark& benchmark) const;
  void order(compare::Question& question);
  Result<> measure();
  void take(const compare::Comparison& comparison);
  Result<> explain();
  void sort();

  lab::Laboratory& laboratory_;
  const CheckRequest& request_;
  Progress& progress_;
  CheckAnswer answer_;
};

Result<bool> Check::build() {
  const Stopwatch watch(checked().times.building);
  checked().commit = TRY(laboratory_.build(request_.commit));
  checked().base = TRY(laboratory_.build(request_.base));
  if (checked().commit.outcome == BuildOutcome::Built && request_.base_may_be_older)
    TRY(find_older_base());
  return checked().base.outcome == BuildOutcome::Built &&
         checked().commit.outcome == BuildOutcome::Built;
}

// Where the base does not build, the nearest commit before it that does takes its place.
Result<> Check::find_older_base() {
  constexpr std::size_t farthest = 20;
  using Line = history::Repository::Line;
  if (checked().base.outcome == BuildOutcome::Built)
    return success();
  for (const Commit& earlier :
       TRY(laboratory_.repository().ancestors(request_.base.id.text, farthest, Line::First))) {
    Build build = TRY(laboratory_.build(earlier));
    if (build.outcome != BuildOutcome::Built)
      continue;
    checked().notes.push_back(fmt::format("{} does not build: {} is judged against {}.",
                                          request_.base.id.brief(), request_.commit.id.brief(),
                                          earlier.id.brief()));
    checked().base = std::move(build);
    return success();
  }
  return success();
}

// Counts do not disturb each other: what is counted for several benchmarks is counted at once.
Result<> profile_on_all_cores(lab::Laboratory& laboratory, const std::vector<Build>& builds,
                              const std::vector<Benchmark>& benchmarks) {
  std::vector<lab::BenchmarkOn> wanted;
  for (const Build& build : builds)
    for (const Benchmark& benchmark : benchmarks)
      wanted.push_back({build, benchmark});
  return laboratory.profile_together(wanted, std::numeric_limits<double>::infinity());
}

bool has_moved(const CheckedBenchmark& benchmark) {
  return std::ranges::any_of(benchmark.metrics, [](const CheckedMetric& metric) {
    return metric.verdict == Verdict::Regressed || metric.verdict == Verdict::Improved;
  });
}

Result<> Check::profile_base() {
  const Stopwatch watch(checked().times.predicting);
  TRY(profile_on_all_cores(laboratory_, {checked().base}, answer_.benchmarks));
  for (const Benchmark& benchmark : answer_.benchmarks) {
    const auto profile = laboratory_.profile(checked().base, benchmark);
    if (!profile && interrupted())
      return profile.error();
    if (!profile)
      progress_.warn(fmt::format("{} has no profile: {}", benchmark.name, profile.error().what));
  }
  return success();
}

// The base and what came before it, nearest first.
Result<std::vector<Commit>> Check::bases() const {
  using Line = history::Repository::Line;
  return laboratory_.repository().ancestors(answer_.checked.base.commit.id.text, farthest_base,
                                            Line::First);
}

Treatment treatment_of(const select::Decision& decision) {
  if (decision.audited)
    return Treatment::Audited;
  return decision.choice == select::Choice::Run ? Treatment::Measured : Treatment::Dismissed;
}

CheckedBenchmark checked_benchmark(const select::Decision& decision) {
  CheckedBenchmark benchmark;
  benchmark.name = decision.benchmark;
  benchmark.treatment = treatment_of(decision);
  benchmark.probability = decision.probability;
  benchmark.basis = name(decision.basis);
  for (const select::Reason& reason : decision.reasons)
    benchmark.reasons.push_back(select::sentence(reason));
  // That nothing is trained is the same for all; what changed is not.
  if (decision.basis == select::Basis::Untrained)
    std::ranges::rotate(benchmark.reasons, std::next(benchmark.reasons.begin()));
  return benchmark;
}

Result<> Check::predict() {
  const Stopwatch watch(checked().times.predicting);
  PredictionRequest request;
  request.build = checked().commit;
  request.bases = TRY(bases());
  request.benchmarks = answer_.benchmarks;
  request.against = checked().base;
  request.audit_share = request_.audit_share;
  if (request_.profiling != Profiling::Never && !request_.everything)
    request.counting = request_.budget * share_for_counting;
  request.seed = seed_of(checked().base.commit.id.text + request_.commit.id.text);
  const auto predicted = TRY(check::predict(laboratory_, request));
  checked().record.trained = predicted.trained;
  std::size_t unknown = 0;
  for (const Advice& advice : predicted.advice) {
    checked().benchmarks.push_back(checked_benchmark(advice.decision));
    unknown += advice.decision.reasons.front().kind == select::ReasonKind::NoProfile ? 1 : 0;
  }
  if (unknown > 0 && request_.profiling == Profiling::Later)
    checked().notes.push_back(fmt::format(
        "{} of {} benchmarks had no profile and were to be measured for that alone; the next check "
        "will know more (--profile now profiles first).",
        unknown, checked().benchmarks.size()));
  return success();
}

void Check::dismiss_all() {
  for (const Benchmark& benchmark : answer_.benchmarks) {
    CheckedBenchmark dismissed;
    dismissed.name = benchmark.name;
    dismissed.treatment = Treatment::Dismissed;
    dismissed.probability = 0;
    dismissed.basis = name(select::Basis::Rule);
    dismissed.reasons = {"both commits build the same code and data"};
    checked().benchmarks.push_back(std::move(dismissed));
  }
}

bool Check::is_measured(const CheckedBenchmark& benchmark) const {
  return request_.everything || benchmark.treatment != Treatment::Dismissed;
}

// Where the base was counted by its source before, those go first that are estimated to change
// most.
void Check::order(compare::Question& question) {
  const Stopwatch watch(checked().times.predicting);
  const auto ranking = kept_ranking(laboratory_, checked().base.commit, checked().commit.commit,
                                    question.benchmarks);
  if (!ranking) {
    progress_.warn("cannot order by the source: " + ranking.error().what);
    return;
  }
  const auto& known = *ranking;
  if (!known)
    return;
  question.worth = worth_by(*known, question.benchmarks, std::move(question.worth));
  checked().notes.emplace_back("Those came first that dragnet rank estimates to change most.");
}

Result<> Check::measure() {
  compare::Question question;
  question.base = checked().base;
  question.candidate = checked().commit;
  question.confirm = true;
  for (std::size_t i = 0; i < answer_.benchmarks.size(); ++i)
    if (is_measured(checked().benchmarks[i])) {
      question.benchmarks.push_back(answer_.benchmarks[i]);
      question.worth.push_back(checked().benchmarks[i].probability);
    }
  if (question.benchmarks.empty())
    return success();
  order(question);
  question.budget = std::max(Seconds{0}, request_.budget * (1 - share_for_placement) -
                                             Seconds{checked().times.predicting});
  auto comparison = TRY(compare::compare(laboratory_, question, progress_));
  take(comparison);
  answer_.stopped_by = std::move(comparison.stopped_by);
  checked().complete = !answer_.stopped_by.has_value();
  return success();
}

void Check::take(const compare::Comparison& comparison) {
  checked().times.measuring = comparison.seconds;
  checked().pairs_measured = comparison.pairs_measured;
  checked().pairs_kept = comparison.pairs_kept;
  for (const compare::Row& row : comparison.rows) {
    const auto found =
        std::ranges::find(checked().benchmarks, row.benchmark, &CheckedBenchmark::name);
    found->metrics.push_back(checked_metric(row));
    if (!row.log.empty())
      found->log = row.log;
  }
  for (CheckedBenchmark& benchmark : checked().benchmarks) {
    if (benchmark.metrics.empty())
      continue;
    const bool untouched = std::ranges::all_of(benchmark.metrics, [](const CheckedMetric& metric) {
      return metric.verdict == Verdict::NotMeasured && metric.old_values.empty();
    });
    benchmark.verdict = weightiest(benchmark.metrics);
    const bool asked = benchmark.treatment == Treatment::Measured || request_.everything;
    if (untouched)
      benchmark.treatment = asked ? Treatment::NotReached : Treatment::Dismissed;
    else
      benchmark.treatment = asked ? Treatment::Measured : Treatment::Audited;
  }
}

Result<> Check::explain() {
  const Stopwatch watch(checked().times.explaining);
  std::vector<std::size_t> moved;
  std::vector<Benchmark> benchmarks;
  for (std::size_t i = 0; i < answer_.benchmarks.size(); ++i)
    if (has_moved(checked().benchmarks[i])) {
      moved.push_back(i);
      benchmarks.push_back(answer_.benchmarks[i]);
    }
  TRY(profile_on_all_cores(laboratory_, {checked().base, checked().commit}, benchmarks));
  const Seconds left =
      request_.budget - Seconds{checked().times.predicting + checked().times.measuring};
  Explainer explainer(laboratory_, checked().base, checked().commit, left, request_.budget,
                      progress_);
  for (const std::size_t i : moved) {
    CheckedBenchmark& benchmark = checked().benchmarks[i];
    progress_.now(fmt::format("explaining {}", benchmark.name), -1);
    TRY(explainer.explain(answer_.benchmarks[i], benchmark));
    benchmark.verdict = weightiest(benchmark.metrics);
  }
  return success();
}

// The weightiest first; what was not measured last, in the order of dragnet.toml.
void Check::sort() {
  const auto rank = [](const CheckedBenchmark& benchmark) {
    const bool dismissed = benchmark.treatment == Treatment::Dismissed;
    return std::pair(dismissed, dismissed ? 0 : weight(benchmark.verdict));
  };
  std::ranges::stable_sort(checked().benchmarks, {}, rank);
}

void Check::describe() {
  checked().project = laboratory_.project().name;
  checked().machine = laboratory_.machine();
  checked().budget = request_.budget.count();
  // A repository that was not cloned has no origin.
  if (const auto origin = laboratory_.repository().git({"remote", "get-url", "origin"}))
    checked().repository = trim(*origin);
}

Result<> Check::choose() {
  auto common =
      TRY(common_benchmarks(laboratory_, checked().base, checked().commit, request_.wanted));
  answer_.benchmarks = std::move(common.benchmarks);
  std::ranges::move(common.notes, std::back_inserter(checked().notes));
  if (laboratory_.same_programs(checked().base, checked().commit)) {
    dismiss_all();
    return success();
  }
  if (request_.profiling == Profiling::Now)
    TRY(profile_base());
  return predict();
}

Result<CheckAnswer> Check::carry_out() {
  const double start = steady_seconds();
  describe();
  if (!TRY(build()))
    return std::move(answer_);
  TRY(choose());
  TRY(measure());
  if (!answer_.stopped_by)
    if (auto explained = explain(); !explained)
      answer_.stopped_by = std::move(explained).error();
  TRY(keep_outcomes(laboratory_, checked(), answer_.benchmarks));
  TRY(add_record(laboratory_, checked().record));
  sort();
  checked().times.total = steady_seconds() - start;
  return std::move(answer_);
}

// What a rule dismissed executes what it did; what is dismissed as harmless executes something
// else, and the next prediction must know what.
bool executes_the_same(const CheckedBenchmark& benchmark) {
  return benchmark.treatment == Treatment::Dismissed &&
         benchmark.basis == name(select::Basis::Rule);
}

} // namespace

Result<CheckAnswer> check(lab::Laboratory& laboratory, const CheckRequest& request,
                          Progress& progress) {
  return Check(laboratory, request, progress).carry_out();
}

Result<std::size_t> profile_for_next(lab::Laboratory& laboratory, const CheckAnswer& answer) {
  std::size_t taken = 0;
  std::vector<Benchmark> wanted;
  for (const Benchmark& benchmark : answer.benchmarks) {
    const auto found =
        std::ranges::find(answer.checked.benchmarks, benchmark.name, &CheckedBenchmark::name);
    if (found != answer.checked.benchmarks.end() && !executes_the_same(*found) &&
        found->verdict != Verdict::Failed)
      wanted.push_back(benchmark);
  }
  TRY(profile_on_all_cores(laboratory, {answer.checked.commit}, wanted));
  for (const Benchmark& benchmark : wanted) {
    const auto profile = laboratory.profile(answer.checked.commit, benchmark);
    if (!profile && interrupted())
      return profile.error();
    taken += profile ? 1 : 0;
  }
  return taken;
}

} // namespace dragnet::check
