#include "cli/stack_pages.h"

#include "analysis/explain/run_report.h"
#include "analysis/explain/similarity.h"
#include "base/ensure.h"
#include "base/result.h"
#include "check/stacks.h"
#include "cli/stack_answers.h"
#include "history/repository.h"
#include "model/commit.h"
#include "model/run.h"
#include "model/stacks.h"
#include "report/explanation.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

std::vector<report::ExplainedTree> trees_of(const check::ComparedStacks& compared,
                                            const StackRequest& request) {
  explain::Comparison comparison;
  comparison.bases = {compared.commits.front()};
  comparison.candidate = compared.commits.back();
  comparison.metrics = request.watching.metrics;
  comparison.difference = compared.difference;
  return report::explained_trees(comparison);
}

explain::RunReport runs_of(const WatchedCommit& watched, const StackRequest& request) {
  return explain::run_report(watched, request.watching.metrics, request.most);
}

const WatchedCommit& watched_at(std::span<const WatchedCommit> watched, const CommitId& commit) {
  const auto at =
      std::ranges::find(watched, commit, [](const WatchedCommit& one) { return one.commit.id; });
  ensure(at != watched.end(), "a commit is compared with those of its range");
  return *at;
}

// What a report says of one metric.
void tell(explain::OverviewPoint& point, const std::string& metric,
          const explain::SimilarityReport& report) {
  point.findings = 0;
  point.first.reset();
  for (const explain::SimilarityRow& row : report.rows) {
    if (!row.told || row.metric != metric)
      continue;
    if (!point.first)
      point.first = row;
    ++point.findings;
  }
}

void tell(explain::Overview& overview, const std::vector<report::ExplainedStep>& steps) {
  for (explain::OverviewPoint& point : overview.points) {
    for (const report::ExplainedStep& step : steps)
      if (step.commit == point.commit.id && step.similarity)
        tell(point, overview.metric, *step.similarity);
  }
}

using Pairs = std::vector<std::pair<CommitId, CommitId>>;

void add_pairs(const std::optional<explain::SimilarityReport>& report, Pairs& pairs) {
  if (!report)
    return;
  for (const Commit& base : report->bases)
    pairs.emplace_back(base.id, report->candidate.id);
}

} // namespace

report::ExplainedBenchmark compared_for_page(const check::ComparedStacks& compared,
                                             const std::string& benchmark,
                                             const StackRequest& request) {
  report::ExplainedBenchmark one;
  one.benchmark = benchmark;
  one.similarity = compared.report;
  one.hunks = compared.hunks;
  one.trees = trees_of(compared, request);
  for (const WatchedCommit& side : compared.commits) {
    report::ExplainedStep step;
    step.commit = side.commit.id;
    step.runs = runs_of(side, request);
    one.steps.push_back(std::move(step));
  }
  return one;
}

report::ExplainedBenchmark described_for_page(const WatchedCommit& watched,
                                              const std::string& benchmark,
                                              const StackRequest& request) {
  report::ExplainedBenchmark one;
  one.benchmark = benchmark;
  one.runs = runs_of(watched, request);
  check::ComparedStacks alone;
  alone.commits = {watched, watched};
  one.trees = trees_of(alone, request);
  return one;
}

const Build& StepsForPage::build_of(const CommitId& commit) const {
  const auto at =
      std::ranges::find(builds_, commit, [](const Build& one) { return one.commit.id; });
  ensure(at != builds_.end(), "what was watched was built");
  return *at;
}

report::ExplainedStep StepsForPage::step(std::span<const WatchedCommit> watched,
                                         const WatchedCommit& commit,
                                         const std::vector<CommitId>& bases) const {
  report::ExplainedStep step;
  step.commit = commit.commit.id;
  step.runs = runs_of(commit, request_);
  if (bases.empty())
    return step;
  check::StackQuestion question;
  std::vector<WatchedCommit> sides;
  for (const CommitId& base : bases) {
    question.bases.push_back(build_of(base));
    sides.push_back(watched_at(watched, base));
  }
  sides.push_back(commit);
  question.commit = build_of(commit.commit.id);
  question.benchmark = benchmark_;
  question.watching = request_.watching;
  question.yardstick = request_.yardstick;
  auto compared = check::compare_watched(lab_, question, std::move(sides));
  // Trees are large, and where no stack changed both sides of them are the same.
  if (explain::findings(compared.report) > 0)
    step.trees = trees_of(compared, request_);
  step.similarity = std::move(compared.report);
  step.hunks = std::move(compared.hunks);
  return step;
}

void StepsForPage::add(std::span<const WatchedCommit> watched,
                       std::vector<report::ExplainedBenchmark>& entries) const {
  if (entries.empty())
    return;
  report::ExplainedBenchmark& first = entries.front();
  if (!first.overview)
    return;
  std::vector<report::ExplainedStep> steps;
  for (const explain::OverviewPoint& point : first.overview->points) {
    const WatchedCommit& commit = watched_at(watched, point.commit.id);
    if (!commit.runs.empty())
      steps.push_back(step(watched, commit, point.compared_with));
  }
  for (report::ExplainedBenchmark& entry : entries)
    if (entry.overview)
      tell(*entry.overview, steps);
  first.steps = std::move(steps);
}

Result<std::vector<report::SourceDiff>> diffs_of(const history::Repository& repository,
                                                 const report::Explanation& explanation) {
  Pairs pairs;
  for (const report::ExplainedBenchmark& one : explanation.benchmarks) {
    add_pairs(one.similarity, pairs);
    for (const report::ExplainedStep& step : one.steps)
      add_pairs(step.similarity, pairs);
  }
  std::vector<report::SourceDiff> diffs;
  std::set<std::pair<CommitId, CommitId>> known;
  for (const auto& [before, now] : pairs)
    if (known.insert({before, now}).second)
      diffs.push_back({before, now,
                       TRY(repository.git({"diff", "--no-color", "--no-ext-diff", "--find-renames",
                                           before.text, now.text}))});
  return diffs;
}

} // namespace dragnet::cli
