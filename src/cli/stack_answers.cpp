#include "cli/stack_answers.h"

#include "analysis/explain/run_report.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/watched.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/question.h"
#include "check/stacks.h"
#include "cli/setting.h"
#include "cli/stack_pages.h"
#include "lab/cases.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/run.h"
#include "model/stacks.h"
#include "report/explanation.h"
#include "report/stack_export.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

StackAnswer begun(const lab::Laboratory& lab, const Commit& commit) {
  StackAnswer answer;
  answer.commit = commit;
  answer.explanation.project = lab.project().name;
  answer.explanation.version = version();
  return answer;
}

// The metrics that are asked for, or all that a profile has.
std::vector<std::string> metrics_of(const StackRequest& request, const StackProfile& profile) {
  if (!request.watching.metrics.empty())
    return request.watching.metrics;
  std::set<std::string> metrics;
  for (const StackUse& use : profile.uses)
    metrics.insert(use.metric);
  return {metrics.begin(), metrics.end()};
}

void add_exports(StackAnswer& answer, const std::string& benchmark, const StackRequest& request,
                 const WatchedCommit& commit, const WatchedCommit* before) {
  report::StackExport made;
  made.profile = explain::mean_profile(explain::telling_runs(commit));
  made.title = fmt::format("{} at {}", benchmark, commit.commit.id.brief());
  if (before != nullptr) {
    made.before = explain::mean_profile(explain::telling_runs(*before));
    made.title += fmt::format(" against {}", before->commit.id.brief());
  }
  for (const std::string& metric : metrics_of(request, made.profile)) {
    made.metric = metric;
    answer.exports.push_back(made);
  }
}

void add_comparison(StackAnswer& answer, const std::string& benchmark, const StackRequest& request,
                    check::ComparedStacks compared) {
  add_exports(answer, benchmark, request, compared.commits.back(), &compared.commits.front());
  if (request.page)
    answer.page.benchmarks.push_back(compared_for_page(compared, benchmark, request));
  report::ExplainedBenchmark one;
  one.benchmark = benchmark;
  one.similarity = std::move(compared.report);
  one.hunks = std::move(compared.hunks);
  answer.explanation.benchmarks.push_back(std::move(one));
}

Result<Build> built(lab::Laboratory& lab, const Commit& commit) {
  auto build = TRY(lab.build(commit));
  if (build.outcome != BuildOutcome::Built)
    return does_not_build(build, lab.project());
  return build;
}

// The builds of bases; where one does not serve, of the nearest before it that does.
Result<std::vector<Build>> base_builds(lab::Laboratory& lab, const std::vector<Commit>& bases,
                                       const lab::Cases& cases, const StackRequest& request,
                                       report::Explanation& explanation) {
  std::vector<Build> builds;
  for (const Commit& base : bases) {
    auto serving = TRY(check::serving_build(lab, base, cases.benchmarks, request.watching));
    if (!serving.note.empty())
      explanation.notes.push_back(std::move(serving.note));
    builds.push_back(std::move(serving.build));
  }
  return builds;
}

// Commits that are followed, and the builds of those that build.
struct Followed {
  const std::vector<Commit>& commits;
  std::vector<Build> builds;
};

// Watches a benchmark on all commits that build; the others are gaps.
Result<std::vector<WatchedCommit>> watch_all(lab::Laboratory& lab, const Followed& followed,
                                             const Benchmark& benchmark,
                                             const StackRequest& request, Progress& progress) {
  auto watched =
      TRY(check::watch_in_turn(lab, followed.builds, benchmark, request.watching, progress));
  std::map<CommitId, WatchedCommit*> found;
  for (WatchedCommit& one : watched)
    found.emplace(one.commit.id, &one);
  std::vector<WatchedCommit> all;
  all.reserve(followed.commits.size());
  for (const Commit& commit : followed.commits)
    if (const auto at = found.find(commit.id); at != found.end())
      all.push_back(std::move(*at->second));
    else
      all.push_back({commit, {}});
  return all;
}

// What is told along commits: the metrics that are asked for, else the bytes written.
std::vector<std::string> told_metrics(const StackRequest& request) {
  return request.watching.metrics.empty() ? std::vector<std::string>{"written"}
                                          : request.watching.metrics;
}

// For a page, all metrics that there are, those that are told first.
std::vector<std::string> shown_metrics(std::span<const WatchedCommit> watched,
                                       const StackRequest& request) {
  auto metrics = told_metrics(request);
  if (!request.page || !request.watching.metrics.empty())
    return metrics;
  std::set<std::string> others;
  for (const WatchedCommit& commit : watched)
    for (const WatchedRun& run : commit.runs)
      for (const StackUse& use : run.profile.uses)
        others.insert(use.metric);
  for (const std::string& told : metrics)
    others.erase(told);
  metrics.insert(metrics.end(), others.begin(), others.end());
  return metrics;
}

std::vector<report::ExplainedBenchmark> overviews(std::span<const WatchedCommit> watched,
                                                  const std::string& benchmark,
                                                  const StackRequest& request) {
  std::vector<report::ExplainedBenchmark> entries;
  for (const std::string& metric : shown_metrics(watched, request)) {
    report::ExplainedBenchmark& one = entries.emplace_back();
    one.benchmark = benchmark;
    one.overview = explain::overview(watched, metric, request.yardstick, {});
  }
  return entries;
}

// Pages get all entries, answers the metrics that are told, without the steps.
void add_entries(std::vector<report::ExplainedBenchmark>& entries, const StackRequest& request,
                 StackAnswer& answer) {
  for (std::size_t i = 0; i < told_metrics(request).size(); ++i) {
    report::ExplainedBenchmark one;
    one.benchmark = entries[i].benchmark;
    one.overview = entries[i].overview;
    answer.explanation.benchmarks.push_back(std::move(one));
  }
  if (request.page)
    std::ranges::move(entries, std::back_inserter(answer.page.benchmarks));
}

Result<> finish_page(const lab::Laboratory& lab, const StackRequest& request, StackAnswer& answer) {
  if (!request.page)
    return success();
  answer.page.project = answer.explanation.project;
  answer.page.version = answer.explanation.version;
  answer.page.notes = answer.explanation.notes;
  answer.page.diffs = TRY(diffs_of(lab.repository(), answer.page));
  return success();
}

// That nothing could be compared, because nothing new may be watched, is no answer.
Result<StackAnswer> finished(lab::Laboratory& lab, const Commit& commit,
                             const StackRequest& request, StackAnswer answer) {
  if (answer.explanation.benchmarks.empty())
    return Error{fmt::format("nothing was watched on {} yet", commit.id.brief()),
                 "leave --kept out, so that it is watched now"};
  TRY(finish_page(lab, request, answer));
  return answer;
}

} // namespace

Result<StackAnswer> compare_commits(lab::Laboratory& lab, const std::vector<Commit>& bases,
                                    const Commit& commit, const StackRequest& request,
                                    Progress& progress) {
  auto answer = begun(lab, commit);
  auto& explanation = answer.explanation;
  check::StackQuestion question;
  question.commit = TRY(built(lab, commit));
  question.watching = request.watching;
  question.yardstick = request.yardstick;
  const auto cases = TRY(lab.cases(question.commit, request.benchmarks));
  question.bases = TRY(base_builds(lab, bases, cases, request, explanation));
  const check::Wanted wanted{.benchmarks = request.benchmarks, .metrics = {"wall"}};
  auto common = TRY(check::common_benchmarks(lab, question.bases.front(), question.commit, wanted));
  std::ranges::move(common.notes, std::back_inserter(explanation.notes));
  for (Benchmark& benchmark : common.benchmarks) {
    if (request.watching.kept_only && TRY(lab.watched_count(commit, benchmark)) == 0) {
      explanation.notes.push_back(
          fmt::format("{} was not watched on {} yet.", benchmark.name, commit.id.brief()));
      continue;
    }
    question.benchmark = std::move(benchmark);
    add_comparison(answer, question.benchmark.name, request,
                   TRY(check::compare_stacks(lab, question, progress)));
  }
  return finished(lab, commit, request, std::move(answer));
}

Result<StackAnswer> describe_commit(lab::Laboratory& lab, const Commit& commit,
                                    const StackRequest& request, Progress& progress) {
  auto answer = begun(lab, commit);
  const std::vector<Build> builds{TRY(built(lab, commit))};
  for (const Benchmark& benchmark : TRY(lab.cases(builds.front(), request.benchmarks)).benchmarks) {
    const auto watched =
        TRY(check::watch_in_turn(lab, builds, benchmark, request.watching, progress));
    add_exports(answer, benchmark.name, request, watched.front(), nullptr);
    if (request.page)
      answer.page.benchmarks.push_back(
          described_for_page(watched.front(), benchmark.name, request));
    report::ExplainedBenchmark one;
    one.benchmark = benchmark.name;
    one.runs = explain::run_report(watched.front(), request.watching.metrics, request.most);
    answer.explanation.benchmarks.push_back(std::move(one));
  }
  TRY(finish_page(lab, request, answer));
  return answer;
}

Result<StackAnswer> follow_commits(lab::Laboratory& lab, const std::vector<Commit>& commits,
                                   const StackRequest& request, Progress& progress) {
  auto answer = begun(lab, commits.back());
  Followed followed{.commits = commits, .builds = {}};
  for (const Commit& commit : commits) {
    auto build = TRY(lab.build(commit));
    if (build.outcome == BuildOutcome::Built)
      followed.builds.push_back(std::move(build));
    else
      answer.explanation.notes.push_back(fmt::format("{} does not build.", commit.id.brief()));
  }
  if (followed.builds.empty())
    return Error{"none of these commits builds", "dragnet run COMMIT shows why"};
  for (const Benchmark& benchmark :
       TRY(lab.cases(followed.builds.back(), request.benchmarks)).benchmarks) {
    const auto watched = TRY(watch_all(lab, followed, benchmark, request, progress));
    auto entries = overviews(watched, benchmark.name, request);
    if (request.page)
      StepsForPage(lab, followed.builds, benchmark, request).add(watched, entries);
    add_entries(entries, request, answer);
  }
  TRY(finish_page(lab, request, answer));
  return answer;
}

int exit_status(const report::Explanation& explanation) {
  bool conclusive = true;
  for (const report::ExplainedBenchmark& one : explanation.benchmarks) {
    if ((one.similarity && !one.similarity->unfinished.empty()) ||
        (one.runs && !one.runs->unfinished.empty()))
      return 2;
    conclusive = conclusive && (!one.similarity || one.similarity->conclusive);
  }
  return conclusive ? 0 : 3;
}

} // namespace dragnet::cli
