// What stacks did, for people and for programs: the similarity report, the run report and the
// overview of `dragnet explain`.
#pragma once

#include "analysis/explain/run_report.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/watched.h"
#include "model/check.h"
#include "model/commit.h"
#include "model/stacks.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::report {

/// Both sides as one tree of calls, for a differential flame graph.
struct ExplainedTree {
  std::string metric;
  explain::Quantity quantity = explain::Quantity::Amount;
  CallNode root; ///< amounts or calls take the place of instructions
};

/// A commit that a point of the overview, or a side of a comparison, leads to.
struct ExplainedStep {
  CommitId commit;
  std::optional<explain::SimilarityReport> similarity; ///< with what it is compared with
  std::optional<explain::RunReport> runs;              ///< of this commit
  std::vector<SourceHunk> hunks;
  std::vector<ExplainedTree> trees;
};

/// How the source differs between two commits that are compared.
struct SourceDiff {
  CommitId before;
  CommitId now;
  std::string text; ///< as git prints it
};

/// One benchmark, with what was asked about it.
struct ExplainedBenchmark {
  std::string benchmark;
  std::optional<explain::SimilarityReport> similarity;
  std::optional<explain::RunReport> runs;
  std::optional<explain::Overview> overview;
  std::vector<SourceHunk> hunks;    ///< shown at the frames of findings
  std::vector<ExplainedTree> trees; ///< of `similarity`; large, so only where they are drawn
  std::vector<ExplainedStep> steps; ///< only where reports lead from one to the next
};

struct Explanation {
  std::string project;
  std::string version; ///< of Dragnet
  std::vector<ExplainedBenchmark> benchmarks;
  std::vector<std::string> notes; ///< what the reader should know beside
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<SourceDiff> diffs = {}; ///< of the commits that are compared, for all benchmarks
};

struct ExplanationLook {
  bool colours = false;
  std::size_t most = 10;  ///< rows of a table; 0 for all
  std::size_t stacks = 3; ///< findings that are shown frame by frame
};

/// Per benchmark one sentence, a table, and the stacks of the first findings.
std::string explanation_text(const Explanation& explanation, const ExplanationLook& look);

/// The document "explanation", as docs/json.md describes it.
std::string explanation_json(const Explanation& explanation);

/// The same in the form that pages hold: with frames apart, and of the rows that are no findings at
/// most so many a comparison.
std::string explanation_for_page(const Explanation& explanation, std::size_t most_unchanged = 200);

/// The trees of a comparison with its first base: for each metric one of amounts and one of calls,
/// as far as there are any.
std::vector<ExplainedTree> explained_trees(const explain::Comparison& comparison);

/// The parts that explanation_text consists of.
std::string similarity_text(const ExplainedBenchmark& one, const ExplanationLook& look);
std::string run_report_text(const ExplainedBenchmark& one, const ExplanationLook& look);
std::string overview_text(const ExplainedBenchmark& one, const ExplanationLook& look);

/// A warning for each run that did not finish, with the end of what it printed.
std::string unfinished_text(const std::vector<explain::UnfinishedRun>& runs);

} // namespace dragnet::report
