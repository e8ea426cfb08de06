#include "analysis/explain/run_report.h"

#include "analysis/explain/change_test.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/spectrum.h"
#include "analysis/explain/trails.h"
#include "analysis/explain/watched.h"
#include "model/stacks.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::explain {
namespace {

using Runs = std::vector<const WatchedRun*>;

std::vector<std::string> metrics_in(const Runs& runs) {
  std::set<std::string> metrics;
  for (const WatchedRun* run : runs)
    for (const StackUse& use : run->profile.uses)
      metrics.insert(use.metric);
  return {metrics.begin(), metrics.end()};
}

std::size_t active(std::span<const RunUse> runs) {
  return static_cast<std::size_t>(std::ranges::count_if(
      runs, [](const RunUse& run) { return run.calls > 0 || run.amount > 0; }));
}

template <class List, class Order>
List first_by(List list, std::size_t most, const Order& order) {
  std::ranges::stable_sort(list, std::ranges::greater{}, order);
  list.resize(std::min(list.size(), most));
  return list;
}

// The kernel's total; none unless each run has one.
std::optional<double> accounted(const Runs& runs, const std::string& metric) {
  double sum = 0;
  for (const WatchedRun* run : runs) {
    const auto found = run->profile.accounted.find(metric);
    if (found == run->profile.accounted.end())
      return std::nullopt;
    sum += static_cast<double>(found->second);
  }
  return runs.empty() ? std::nullopt : std::optional(sum / static_cast<double>(runs.size()));
}

std::vector<FileTotal> files_of(const Runs& runs, const std::string& metric) {
  std::map<std::string, RunUse> sums;
  for (const WatchedRun* run : runs)
    for (const StackUse& use : run->profile.uses)
      if (use.metric == metric && !use.file.empty()) {
        RunUse& sum = sums[use.file];
        sum.calls += static_cast<double>(use.calls) / static_cast<double>(runs.size());
        sum.amount += static_cast<double>(use.amount) / static_cast<double>(runs.size());
      }
  std::vector<FileTotal> files;
  files.reserve(sums.size());
  for (const auto& [file, use] : sums)
    files.push_back({file, use});
  return files;
}

MetricReport metric_report(const Runs& runs, const std::string& metric, std::size_t most) {
  FunctionNumbers numbers(Detail::Complete, {});
  const std::vector<std::string> only{metric};
  std::vector<StackTotal> stacks;
  MetricReport report;
  report.metric = metric;
  for (const Trail& trail : trails_of(runs, Age::New, only, numbers)) {
    const TrailUse& use = trail.uses.at(metric);
    stacks.push_back({use.frames, mean_of(use.runs), active(use.runs)});
    report.total.calls += stacks.back().use.calls;
    report.total.amount += stacks.back().use.amount;
  }
  const auto size = [](const auto& one) { return std::pair(one.use.amount, one.use.calls); };
  report.stacks = stacks.size();
  report.accounted = accounted(runs, metric);
  report.most = first_by(stacks, most, size);
  report.most_per_call =
      first_by(stacks, most, [](const StackTotal& one) { return one.use.per_call(); });
  report.files = first_by(files_of(runs, metric), most, size);
  return report;
}

double mean_seconds(const Runs& runs) {
  double sum = 0;
  for (const WatchedRun* run : runs)
    sum += run->run.seconds;
  return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
}

// The commits that each is compared with.
class Ancestry {
public:
  explicit Ancestry(std::span<const WatchedCommit> commits) : commits_(commits) {
    for (std::size_t i = 0; i < commits.size(); ++i)
      numbers_.emplace(commits[i].commit.id.text, i);
  }

  std::set<std::size_t> nearest_watched(std::size_t commit) const {
    std::set<std::size_t> found;
    std::set<std::size_t> seen;
    std::vector<std::size_t> open = parents(commit);
    while (!open.empty()) {
      const std::size_t next = open.back();
      open.pop_back();
      if (!seen.insert(next).second)
        continue;
      if (!commits_[next].runs.empty())
        found.insert(next);
      else
        std::ranges::copy(parents(next), std::back_inserter(open));
    }
    return found;
  }

private:
  std::vector<std::size_t> parents(std::size_t commit) const {
    std::vector<std::size_t> known;
    for (const CommitId& parent : commits_[commit].commit.parents)
      if (const auto found = numbers_.find(parent.text);
          found != numbers_.end() && found->second < commit)
        known.push_back(found->second);
    if (known.empty() && commit > 0)
      known.push_back(commit - 1);
    return known;
  }

  std::span<const WatchedCommit> commits_;
  std::map<std::string, std::size_t> numbers_;
};

// The amount of a run in all its stacks, or its calls where nothing has an amount.
OverviewPoint point_of(const WatchedCommit& commit, const std::string& metric) {
  OverviewPoint point;
  point.commit = commit.commit;
  point.unfinished = unfinished_runs(commit).size();
  std::vector<RunUse> totals;
  for (const WatchedRun* run : telling_runs(commit)) {
    RunUse& total = totals.emplace_back();
    for (const StackUse& use : run->profile.uses)
      if (use.metric == metric) {
        total.calls += static_cast<double>(use.calls);
        total.amount += static_cast<double>(use.amount);
      }
  }
  point.runs = totals.size();
  point.mean = mean_of(totals);
  if (!totals.empty()) {
    const auto [low, high] = std::ranges::minmax(totals, {}, &RunUse::amount);
    point.low = low.amount;
    point.high = high.amount;
  }
  return point;
}

} // namespace

RunReport run_report(const WatchedCommit& commit, std::span<const std::string> metrics,
                     std::size_t most) {
  const Runs runs = telling_runs(commit);
  RunReport report;
  report.commit = commit.commit;
  report.runs = runs.size();
  report.seconds = mean_seconds(runs);
  report.unfinished = unfinished_runs(commit);
  for (const WatchedRun* run : runs)
    report.lost += run->profile.lost;
  report.notes = watching_notes(runs);
  const std::vector<std::string> chosen =
      metrics.empty() ? metrics_in(runs) : std::vector(metrics.begin(), metrics.end());
  for (const std::string& metric : chosen)
    report.metrics.push_back(metric_report(runs, metric, most));
  return report;
}

Overview overview(std::span<const WatchedCommit> commits, const std::string& metric,
                  Yardstick yardstick, const Thresholds& thresholds) {
  Overview made{.metric = metric, .yardstick = yardstick, .points = {}};
  const Ancestry ancestry(commits);
  for (std::size_t i = 0; i < commits.size(); ++i) {
    OverviewPoint point = point_of(commits[i], metric);
    Comparison comparison;
    for (const std::size_t base : ancestry.nearest_watched(i)) {
      comparison.bases.push_back(commits[base]);
      point.compared_with.push_back(commits[base].commit.id);
    }
    if (!comparison.bases.empty() && point.runs > 0) {
      comparison.candidate = commits[i];
      comparison.metrics = {metric};
      comparison.yardstick = yardstick;
      comparison.thresholds = thresholds;
      const SimilarityReport report = compare_stacks(comparison);
      point.findings = findings(report);
      if (point.findings > 0)
        point.first = report.rows.front();
    }
    made.points.push_back(std::move(point));
  }
  return made;
}

} // namespace dragnet::explain
