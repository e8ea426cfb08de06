#include "check/placement.h"

#include "analysis/compare/compare.h"
#include "base/result.h"
#include "base/units.h"
#include "lab/stand_ins.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/metric.h"
#include "model/run.h"
#include "model/verdict.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace dragnet::check {
namespace {

bool can_be_placement(const CheckedMetric& metric) {
  return metric.metric.nature == Nature::Noisy &&
         (metric.verdict == Verdict::Regressed || metric.verdict == Verdict::Improved);
}

std::string change_text(const compare::Row& row) {
  return fmt::format("{} ({} to {}, {} pairs)", format_change(row.assessment.change),
                     format_change(row.assessment.low), format_change(row.assessment.high),
                     row.assessment.pairs);
}

} // namespace

void judge_placement(std::span<const compare::Row> rows, CheckedBenchmark& checked) {
  for (CheckedMetric& metric : checked.metrics) {
    const auto row = std::ranges::find(rows, metric.metric.name,
                                       [](const compare::Row& one) { return one.metric.name; });
    if (!can_be_placement(metric) || row == rows.end())
      continue;
    const Verdict there = row->judgement.verdict;
    if (there == metric.verdict) {
      checked.why.push_back(fmt::format("With its code aligned otherwise, {} moves by {}, too.",
                                        metric.metric.name, change_text(*row)));
    } else if (there == Verdict::Unchanged || there == Verdict::Regressed ||
               there == Verdict::Improved) {
      metric.verdict = Verdict::Exonerated;
      checked.why.push_back(
          fmt::format("It executes as many instructions as before, and where both "
                      "sides are built with their code aligned otherwise, {} "
                      "moves by {}: the placement of code in memory moved it.",
                      metric.metric.name, change_text(*row)));
    }
  }
}

bool PlacementTrial::Sides::built() const {
  return base.outcome == BuildOutcome::Built && commit.outcome == BuildOutcome::Built;
}

std::optional<std::string> PlacementTrial::obstacle() const {
  const Seconds builds(base_.seconds + commit_.seconds);
  if (!sides_ && builds > building_)
    return fmt::format("building both sides once more takes {}", format_duration(builds));
  if (measuring_ <= Seconds(0))
    return "the budget is spent";
  return std::nullopt;
}

Result<const PlacementTrial::Sides*> PlacementTrial::sides() {
  if (!sides_) {
    auto base = TRY(lab::build_for(Purpose::Aligned, laboratory_, base_.commit));
    auto commit = TRY(lab::build_for(Purpose::Aligned, laboratory_, commit_.commit));
    sides_ = Sides{std::move(base), std::move(commit)};
  }
  return &*sides_;
}

Result<> PlacementTrial::attempt(const Benchmark& benchmark, CheckedBenchmark& checked) {
  compare::Question question;
  question.benchmarks = {benchmark};
  question.benchmarks.front().metrics.clear();
  for (const CheckedMetric& metric : checked.metrics)
    if (can_be_placement(metric))
      question.benchmarks.front().metrics.push_back(metric.metric.name);
  if (question.benchmarks.front().metrics.empty())
    return success();
  auto why_not = obstacle();
  if (!why_not) {
    const Sides& built = *TRY(sides());
    question.base = built.base;
    question.candidate = built.commit;
    if (!built.built())
      why_not = "they do not build that way";
  }
  if (why_not) {
    checked.why.push_back(
        fmt::format("Whether it is so with code aligned otherwise was not tried: {}.", *why_not));
    return success();
  }
  question.budget = measuring_;
  const auto comparison = TRY(compare::compare(laboratory_, question, progress_));
  measuring_ -= Seconds(comparison.seconds);
  if (comparison.stopped_by)
    return *comparison.stopped_by;
  judge_placement(comparison.rows, checked);
  return success();
}

} // namespace dragnet::check
