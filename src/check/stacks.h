// Which stacks of a benchmark do more than they used to: watches both sides in turn, and brings
// what was seen before the analysis.
#pragma once

#include "analysis/explain/similarity.h"
#include "base/progress.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/run.h"
#include "model/stacks.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace dragnet::check {

/// What of a benchmark is watched.
struct Watching {
  std::size_t runs = 5;             ///< of each build
  std::vector<std::string> metrics; ///< as explain::stack_metrics names them; empty for all watched
  bool kept_only = false;           ///< watch nothing new
};

/// Runs a benchmark on builds under the monitor, one build after the other in turn, until each has
/// the runs that are asked for; kept ones count. A build on which a run does not finish is not run
/// again.
Result<std::vector<WatchedCommit>> watch_in_turn(lab::Laboratory& laboratory,
                                                 std::span<const Build> builds,
                                                 const Benchmark& benchmark,
                                                 const Watching& watching, Progress& progress);

struct StackQuestion {
  std::vector<Build> bases; ///< at least one
  Build commit;
  Benchmark benchmark;
  Watching watching;
  explain::Yardstick yardstick = explain::Yardstick::Tested;
  const Difference* difference = nullptr; ///< of the first base, where it is known already
};

/// What the stacks of a benchmark say, and how the source of what they name changed.
struct ComparedStacks {
  std::vector<WatchedCommit> commits; ///< the bases and, last, the commit
  Difference difference;              ///< of the builds, from the first base
  explain::SimilarityReport report;
  std::vector<SourceHunk> hunks;
};

/// Compares the stacks of a benchmark on a build with those on one or several others.
Result<ComparedStacks> compare_stacks(lab::Laboratory& laboratory, const StackQuestion& question,
                                      Progress& progress);

/// The same of runs that were watched already, in the order of ComparedStacks.
ComparedStacks compare_watched(const lab::Laboratory& laboratory, const StackQuestion& question,
                               std::vector<WatchedCommit> commits);

/// A commit built; where it does not build, or where nothing new may be watched and nothing is
/// kept, the nearest before it that serves.
struct Serving {
  Build build;
  std::string note; ///< why it is another commit; empty where it is not
};
Result<Serving> serving_build(lab::Laboratory& laboratory, const Commit& commit,
                              const std::vector<Benchmark>& benchmarks, const Watching& watching);

} // namespace dragnet::check
