// What the check of a commit found, as it is kept, shown and exported: for each benchmark how it
// was treated, its verdict, and why.
#pragma once

#include "model/machine.h"
#include "model/metric.h"
#include "model/prediction_record.h"
#include "model/profile.h"
#include "model/run.h"
#include "model/verdict.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet {

/// One metric of a benchmark in a check: all that was seen, and what it means.
struct CheckedMetric {
  Metric metric;
  Method method = Method::Timed;
  Verdict verdict = Verdict::NotMeasured;
  std::string rule; ///< why, as a sentence
  std::vector<double> old_values;
  std::vector<double> new_values;       ///< as many, in pairs
  std::optional<std::size_t> confirmed; ///< the first of the pairs that confirm it, if any do
  double smallest_effect = 0.02;        ///< as a share
  double change = 0;                    ///< new / old - 1
  double low = 0;                       ///< of its interval
  double high = 0;
  double p_value = 1;
  bool exact = false; ///< the values repeat, so that the change is no estimate
};

/// What a function of the build cost a benchmark, in one run.
struct FunctionCost {
  std::uint64_t calls = 0;
  std::uint64_t instructions = 0; ///< in itself
  double share = 0;               ///< of the run's instructions, 0 to 1
};

/// Where a function stands in the source.
struct SourcePlace {
  std::string file; ///< below the root of the project where it lies there
  std::size_t line = 0;

  auto operator<=>(const SourcePlace&) const = default;
};

/// How the commit changed a function's code.
enum class CodeChange : std::uint8_t { None, Changed, New, Deleted, Renamed, Data };

/// A function whose cost or code differs between the two sides of a check.
struct ChangedFunction {
  FunctionId function;
  CodeChange change = CodeChange::None;
  FunctionCost before;
  FunctionCost now;
  double explains =
      0; ///< what it costs more, with what it calls more, as a share of the run before
  std::vector<std::string> inlined; ///< callees whose inlined code changed
  std::optional<SourcePlace> place;
};

/// A function in the tree of calls, with what was executed in it and below it on both sides.
struct CallNode {
  std::string function;
  std::uint64_t old_instructions = 0;
  std::uint64_t new_instructions = 0;
  std::vector<CallNode> callees;
};

/// How a check treated a benchmark.
enum class Treatment : std::uint8_t {
  Measured,
  Audited,   ///< dismissed, but measured as a test of the prediction
  Dismissed, ///< not measured, for a reason that can be checked
  NotReached ///< to be measured, but the budget was spent before
};

struct CheckedBenchmark {
  std::string name;
  Verdict verdict = Verdict::NotMeasured; ///< the weightiest of its metrics
  Treatment treatment = Treatment::Measured;
  double probability = 1;           ///< of a change, as it was predicted
  std::string basis;                ///< of the prediction: rule, learned, untrained or counted
  std::vector<std::string> reasons; ///< of the prediction, the decisive first
  std::vector<CheckedMetric> metrics;
  std::vector<std::string> why;           ///< what explains its verdict, most telling first
  std::vector<ChangedFunction> functions; ///< most telling first
  std::optional<CallNode> tree;           ///< where both sides were profiled
  std::string log;                        ///< of a run that did not finish
};

/// Where the time of a check went, in seconds.
struct CheckTimes {
  double building = 0;
  double predicting = 0;
  double measuring = 0; ///< kept pairs included
  double explaining = 0;
  double total = 0; ///< by the clock
};

struct CheckedCommit {
  std::string project;
  Machine machine;
  Build base;
  Build commit;
  std::vector<CheckedBenchmark> benchmarks;
  PredictionRecord record;
  CheckTimes times;
  double budget = 0; ///< in seconds of measuring
  std::size_t pairs_measured = 0;
  std::size_t pairs_kept = 0;
  bool complete = true;           ///< false when it was interrupted
  std::vector<std::string> notes; ///< what the reader should know beside
  std::string repository;         ///< where it is cloned from, as git says it; empty when not known
};

/// The exit status that tells the outcome: 1 something regressed, else 2 something failed, else 3
/// something is open, else 4 nothing was measured though there was something to measure, else 0.
int exit_status(const CheckedCommit& checked);

/// Whether it was measured at all, as a question or as an audit.
bool was_measured(const CheckedBenchmark& benchmark);

/// Whether it leaves a question of the commit unanswered.
bool is_open(const CheckedBenchmark& benchmark);

std::string_view name(Treatment treatment);
std::string_view name(CodeChange change);

} // namespace dragnet
