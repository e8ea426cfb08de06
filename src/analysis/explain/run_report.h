// What did the runs of a commit do? The test execution report of Bezemer et al. (2014, section 5.2)
// and the overview over commits.
#pragma once

#include "analysis/explain/change_test.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/watched.h"
#include "model/commit.h"
#include "model/stacks.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dragnet::explain {

struct StackTotal {
  std::vector<StackFrame> frames; ///< root first
  RunUse use;                     ///< per run
  std::size_t runs = 0;           ///< in which it did anything
};

struct FileTotal {
  std::string file;
  RunUse use; ///< per run
};

/// One metric of a commit's runs.
struct MetricReport {
  std::string metric;
  RunUse total;                          ///< per run
  std::optional<double> accounted;       ///< per run, by the kernel, where it is known
  std::vector<StackTotal> most;          ///< stacks by amount, or by calls where there is none
  std::vector<StackTotal> most_per_call; ///< stacks by amount per call
  std::vector<FileTotal> files;          ///< by amount, or by calls where there is none
  std::size_t stacks = 0;                ///< in all
};

struct RunReport {
  Commit commit;
  std::size_t runs = 0; ///< that are told about
  double seconds = 0;   ///< of a run, mean
  std::uint64_t lost = 0;
  std::vector<std::string> notes; ///< what limits the answer, and how it was watched
  std::vector<MetricReport> metrics;
  std::vector<UnfinishedRun> unfinished;
};

/// The chosen metrics, or all where none is; `most` entries of each list.
RunReport run_report(const WatchedCommit& commit, std::span<const std::string> metrics,
                     std::size_t most);

/// A commit in the overview.
struct OverviewPoint {
  Commit commit;
  std::size_t runs = 0; ///< 0: not watched
  RunUse mean;          ///< per run
  double low = 0;       ///< the lowest and the highest amount of a run
  double high = 0;
  std::vector<CommitId> compared_with; ///< the nearest watched ancestors; none for the first
  std::size_t findings = 0;
  std::optional<SimilarityRow> first; ///< the most telling finding
  std::size_t unfinished = 0;
};

struct Overview {
  std::string metric;
  Yardstick yardstick = Yardstick::Tested;
  std::vector<OverviewPoint> points; ///< as given
};

/// One metric along commits that are given oldest first. Each is compared with its nearest watched
/// ancestors among them, so that a branch's old code is not read as a drop; a commit without known
/// parents with the watched one before it.
Overview overview(std::span<const WatchedCommit> commits, const std::string& metric,
                  Yardstick yardstick, const Thresholds& thresholds);

} // namespace dragnet::explain
