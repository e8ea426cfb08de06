#include "check/stacks.h"

#include "analysis/explain/change_test.h"
#include "analysis/explain/derived.h"
#include "analysis/explain/similarity.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/source_hunks.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "model/stacks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fmt/core.h>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

bool wants(const Watching& watching, const std::string& metric) {
  return std::ranges::find(watching.metrics, metric) != watching.metrics.end();
}

// What does not work once will not work the next time either.
bool is_done(const WatchedCommit& commit, const Watching& watching) {
  return commit.runs.size() >= watching.runs ||
         (!commit.runs.empty() && !commit.runs.back().run.finished());
}

Result<std::vector<WatchedCommit>> kept_runs(lab::Laboratory& laboratory,
                                             std::span<const Build> builds,
                                             const Benchmark& benchmark, const Watching& watching) {
  std::vector<WatchedCommit> commits;
  commits.reserve(builds.size());
  for (const Build& build : builds) {
    commits.push_back({build.commit, TRY(laboratory.watched(build, benchmark))});
    auto& runs = commits.back().runs;
    if (&build == &builds.back() && runs.size() > watching.runs)
      runs.resize(watching.runs);
  }
  return commits;
}

// Leaves of more runs than are asked for those that are nearest to a time.
void keep_nearest(std::vector<WatchedRun>& runs, std::size_t count, std::int64_t time) {
  if (runs.size() <= count)
    return;
  std::ranges::stable_sort(runs, {},
                           [&](const WatchedRun& run) { return std::abs(run.run.started - time); });
  runs.resize(count);
  std::ranges::sort(runs, {}, [](const WatchedRun& run) { return run.run.started; });
}

Result<> add_derived(lab::Laboratory& laboratory, const Build& build, const Benchmark& benchmark,
                     const Watching& watching, WatchedCommit& commit) {
  if (wants(watching, "calls"))
    for (WatchedRun& run : commit.runs)
      explain::add_calls(run.profile);
  if (!wants(watching, "instructions"))
    return success();
  const auto profile = TRY(laboratory.profile(build, benchmark));
  for (WatchedRun& run : commit.runs)
    explain::add_instructions(run.profile, profile);
  return success();
}

// Which functions are shown with their source: those whose code changed; all where that is not
// known. Of inlined ones it is not.
class ChangedFunctions {
public:
  explicit ChangedFunctions(const Difference& difference) : known_(!difference.changes.empty()) {
    for (const FunctionChange& change : difference.changes)
      for (const std::string& name : {change.name, change.old_name})
        changed_.insert({change.binary, name});
  }

  bool holds(const StackFrame& frame) const {
    return !known_ || frame.inlined || changed_.contains(frame.function);
  }

private:
  bool known_;
  std::set<FunctionId> changed_;
};

// The hunks of all frames of the findings that changed, each function once.
class HunkCollector {
public:
  HunkCollector(SourceHunks& source, const Difference& difference)
      : source_(source), changed_(difference) {}

  void add(const std::vector<StackFrame>& frames, DiffSide side) {
    for (const StackFrame& frame : frames) {
      if (!frame.place || known_.contains(frame.function) || !changed_.holds(frame))
        continue;
      std::string text = source_.at(*frame.place, side);
      if (text.empty())
        continue;
      known_.insert(frame.function);
      hunks_.push_back({frame.function, std::move(text)});
    }
  }

  std::vector<SourceHunk> take() { return std::move(hunks_); }

private:
  SourceHunks& source_;
  ChangedFunctions changed_;
  std::set<FunctionId> known_;
  std::vector<SourceHunk> hunks_;
};

std::vector<SourceHunk> hunks_of(const explain::SimilarityReport& report,
                                 const Difference& difference, SourceHunks& source) {
  HunkCollector collector(source, difference);
  for (const explain::SimilarityRow& row : report.rows) {
    if (!row.told)
      continue;
    const bool gone = row.now.calls == 0;
    collector.add(row.frames, gone ? DiffSide::Old : DiffSide::New);
    collector.add(row.old_frames, DiffSide::Old);
  }
  return collector.take();
}

// Whether all runs of one commit were over before those of the other began, as where some are kept
// from an earlier comparison.
bool taken_apart(const WatchedCommit& a, const WatchedCommit& b) {
  const auto started = [](const WatchedRun& run) { return run.run.started; };
  if (a.runs.empty() || b.runs.empty())
    return false;
  const auto first = std::ranges::minmax_element(a.runs, {}, started);
  const auto second = std::ranges::minmax_element(b.runs, {}, started);
  return started(*first.max) < started(*second.min) || started(*second.max) < started(*first.min);
}

// Where the runs of a build are kept from another time than those of the last one, one more tells
// whether the time matters. All but the last keep the runs that are nearest to it.
Result<> watch_controls(lab::Laboratory& laboratory, std::span<const Build> builds,
                        const Benchmark& benchmark, const Watching& watching,
                        std::vector<WatchedCommit>& commits) {
  const auto& last = commits.back().runs;
  for (std::size_t i = 0; i + 1 < commits.size() && !last.empty(); ++i) {
    auto& runs = commits[i].runs;
    if (!watching.kept_only && taken_apart(commits[i], commits.back()) &&
        runs.back().run.finished())
      runs.push_back(TRY(laboratory.watch(builds[i], benchmark)));
    keep_nearest(runs, watching.runs, last.front().run.started);
  }
  return success();
}

// What is the same in all runs of a side may still depend on the time: a date, a load, a counter.
explain::Thresholds thresholds_for(const std::vector<WatchedCommit>& commits) {
  explain::Thresholds thresholds;
  for (std::size_t i = 0; i + 1 < commits.size(); ++i)
    if (taken_apart(commits[i], commits.back()))
      thresholds.smallest_exact_share = thresholds.smallest_share;
  return thresholds;
}

bool serves(const Build& build) {
  return build.outcome == BuildOutcome::Built;
}

Result<bool> all_kept(lab::Laboratory& laboratory, const Commit& commit,
                      const std::vector<Benchmark>& benchmarks) {
  for (const Benchmark& benchmark : benchmarks)
    if (TRY(laboratory.watched_count(commit, benchmark)) == 0)
      return false;
  return true;
}

} // namespace

Result<std::vector<WatchedCommit>> watch_in_turn(lab::Laboratory& laboratory,
                                                 std::span<const Build> builds,
                                                 const Benchmark& benchmark,
                                                 const Watching& watching, Progress& progress) {
  auto commits = TRY(kept_runs(laboratory, builds, benchmark, watching));
  for (std::size_t turn = 1; turn <= watching.runs && !watching.kept_only; ++turn)
    for (std::size_t i = 0; i < builds.size(); ++i) {
      if (commits[i].runs.size() >= turn || is_done(commits[i], watching))
        continue;
      progress.now(fmt::format("watching {} on {}: run {} of {}", benchmark.name,
                               builds[i].commit.id.brief(), turn, watching.runs),
                   static_cast<double>(turn - 1) / static_cast<double>(watching.runs));
      commits[i].runs.push_back(TRY(laboratory.watch(builds[i], benchmark)));
    }
  TRY(watch_controls(laboratory, builds, benchmark, watching, commits));
  for (std::size_t i = 0; i < builds.size(); ++i)
    TRY(add_derived(laboratory, builds[i], benchmark, watching, commits[i]));
  return commits;
}

Result<ComparedStacks> compare_stacks(lab::Laboratory& laboratory, const StackQuestion& question,
                                      Progress& progress) {
  std::vector<Build> builds = question.bases;
  builds.push_back(question.commit);
  return compare_watched(
      laboratory, question,
      TRY(watch_in_turn(laboratory, builds, question.benchmark, question.watching, progress)));
}

ComparedStacks compare_watched(const lab::Laboratory& laboratory, const StackQuestion& question,
                               std::vector<WatchedCommit> commits) {
  const Build& base = question.bases.front();
  ComparedStacks answer;
  answer.commits = std::move(commits);
  // Without it stacks are matched by names alone.
  if (question.difference != nullptr)
    answer.difference = *question.difference;
  else if (auto difference = laboratory.full_difference(base, question.commit))
    answer.difference = std::move(*difference);
  explain::Comparison comparison;
  comparison.bases.assign(answer.commits.begin(), answer.commits.end() - 1);
  comparison.candidate = answer.commits.back();
  comparison.metrics = question.watching.metrics;
  comparison.difference = answer.difference;
  comparison.yardstick = question.yardstick;
  comparison.thresholds = thresholds_for(answer.commits);
  answer.report = explain::compare_stacks(comparison);
  SourceHunks source(laboratory.repository(), base.commit, question.commit.commit);
  answer.hunks = hunks_of(answer.report, answer.difference, source);
  return answer;
}

Result<Serving> serving_build(lab::Laboratory& laboratory, const Commit& commit,
                              const std::vector<Benchmark>& benchmarks, const Watching& watching) {
  constexpr std::size_t farthest = 100;
  using Line = history::Repository::Line;
  const std::string_view why = watching.kept_only ? "has no watched runs" : "does not build";
  for (const Commit& earlier :
       TRY(laboratory.repository().ancestors(commit.id.text, farthest, Line::First))) {
    if (watching.kept_only && !TRY(all_kept(laboratory, earlier, benchmarks)))
      continue;
    Build build = TRY(laboratory.build(earlier));
    if (!serves(build))
      continue;
    if (earlier.id == commit.id)
      return Serving{std::move(build), {}};
    return Serving{std::move(build), fmt::format("{} {}: {} stands for it.", commit.id.brief(), why,
                                                 earlier.id.brief())};
  }
  return Error{fmt::format("{} {}, nor does any of the {} commits before it serve",
                           commit.id.brief(), why, farthest),
               watching.kept_only ? "leave --kept out, so that it is watched now"
                                  : "name another commit to compare with"};
}

} // namespace dragnet::check
