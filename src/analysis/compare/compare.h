// Measures two builds against each other, pair by pair, until each benchmark is decided or the
// budget is spent. docs/analyses/compare.md explains the rule; this is the loop around it.
#pragma once

#include "analysis/compare/judge.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "model/lab.h"
#include "model/metric.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::compare {

struct Question {
  Build base;
  Build candidate;
  std::vector<Benchmark> benchmarks; ///< each with the metrics that are judged
  Seconds budget{300};               ///< of measuring, kept pairs included
  bool same_programs = false; ///< both builds load the same code and data: nothing to measure
  Rule rule;
  /// By benchmark, the probability that it changed: pairs go where they are worth most. Empty: to
  /// all in turn.
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<double> worth = {};
  bool confirm = false; ///< a regression is only announced after fresh pairs have shown it again
};

/// One benchmark and metric, with all that was seen and what it means.
struct Row {
  std::string benchmark;
  Metric metric;
  Method method = Method::Timed;
  Evidence evidence;
  Assessment assessment;
  Judgement judgement;
  std::string log; ///< the end of the output of a run that did not finish
  std::optional<std::size_t>
      first_fresh; ///< of the pairs that were to confirm a regression, if any

  /// Whether more pairs cannot change the verdict.
  bool decided() const { return judgement.verdict != Verdict::Inconclusive; }
};

struct Comparison {
  Build base;
  Build candidate;
  std::vector<Row> rows;
  Seconds budget{0};
  double seconds = 0; ///< spent on measuring, kept pairs included
  std::size_t pairs_kept = 0;
  std::size_t pairs_measured = 0;
  std::optional<Error>
      stopped_by; ///< why it ended before its time; what is known until then is in the rows
};

/// Answers a question. What the lab has kept is used first; nothing is measured for a row that is
/// decided by it.
Result<Comparison> compare(Lab& lab, const Question& question, Progress& progress);

/// How many rows have a verdict.
std::size_t count(const Comparison& comparison, Verdict verdict);

/// The exit status that tells the outcome: 1 something regressed, else 2 something failed, else 3
/// inconclusive, else 4 nothing was measured, else 0.
int exit_status(const Comparison& comparison);

} // namespace dragnet::compare
