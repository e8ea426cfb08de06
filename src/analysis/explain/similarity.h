// Which stacks do more than they used to? The similarity report of a commit against one or several
// predecessors: a row for each stack and metric, the most telling first, and the functions where
// the changes arise.
#pragma once

#include "analysis/explain/change_test.h"
#include "analysis/explain/matching.h"
#include "analysis/explain/spectrum.h"
#include "analysis/explain/watched.h"
#include "model/check.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/stacks.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::explain {

/// What stacks are measured by.
enum class Yardstick : std::uint8_t {
  Published, ///< the average per call against the range of the runs before, stack by equal stack
  Tested     ///< amount, calls and average, with a test; stacks matched across refactorings
};

struct Comparison {
  std::vector<WatchedCommit> bases; ///< at least one; a change is one against each of them
  WatchedCommit candidate;
  std::vector<std::string> metrics; ///< ranked together; empty for all that there are
  Difference difference;            ///< of the builds, from the first base; may be empty
  Yardstick yardstick = Yardstick::Tested;
  Thresholds thresholds;
};

struct FileUse {
  std::string file;
  double before = 0; ///< amount per run
  double now = 0;
};

struct SimilarityRow {
  std::string metric;
  std::vector<StackFrame> frames;     ///< root first; of a stack that is gone, the old one
  std::vector<StackFrame> old_frames; ///< of what it is compared with; empty for a new stack
  Likeness likeness = Likeness::Same; ///< how both were found to belong together
  double similarity = 1;              ///< by the yardstick: 1 as before, 0 unlike before
  bool told = false;                  ///< whether it is a finding: changed, or SC below 0.8
  Spectrum spectrum;                  ///< the published numbers
  Judgement judgement;
  RunUse before; ///< per run
  RunUse now;
  std::vector<FileUse> files;       ///< what it was done to, the largest change first
  std::optional<std::size_t> cause; ///< its number in the report
};

/// A function where changes arise: the stacks that changed lead through it, those that did not do
/// not.
struct Cause {
  FunctionId function;
  std::optional<SourcePlace> place;
  bool code_changed = false;     ///< between the builds, as far as their difference is known
  double similarity = 0;         ///< Ochiai's, of its stacks and the stacks that changed
  double effect = 0;             ///< sum of its rows' shares of a run
  std::vector<std::size_t> rows; ///< numbers in the report, the most telling first
};

/// A metric in all stacks together.
struct MetricTotal {
  RunUse before; ///< per run
  RunUse now;
};

struct SimilarityReport {
  Yardstick yardstick = Yardstick::Tested;
  std::vector<Commit> bases;
  Commit candidate;
  std::size_t old_runs = 0; ///< that were compared
  std::size_t new_runs = 0;
  std::vector<SimilarityRow> rows; ///< findings first
  std::vector<Cause> causes;       ///< the largest effect first
  std::map<std::string, MetricTotal> totals;
  std::vector<UnfinishedRun> unfinished;
  double old_seconds = 0; ///< of a run, mean
  double new_seconds = 0;
  std::vector<std::string> notes; ///< what limits the answer, as sentences
  bool conclusive = true;         ///< false where there are too few runs to tell
};

SimilarityReport compare_stacks(const Comparison& comparison);

/// How many rows are findings; they come first.
std::size_t findings(const SimilarityReport& report);

std::string_view name(Yardstick yardstick);

} // namespace dragnet::explain
