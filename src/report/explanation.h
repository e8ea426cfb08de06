// What stacks did, for people and for programs: the similarity report, the run report and the
// overview of `dragnet explain`.
#pragma once

#include "analysis/explain/run_report.h"
#include "analysis/explain/similarity.h"
#include "model/stacks.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::report {

/// One benchmark, with what was asked about it.
struct ExplainedBenchmark {
  std::string benchmark;
  std::optional<explain::SimilarityReport> similarity;
  std::optional<explain::RunReport> runs;
  std::optional<explain::Overview> overview;
  std::vector<SourceHunk> hunks; ///< shown at the frames of findings
};

struct Explanation {
  std::string project;
  std::string version; ///< of Dragnet
  std::vector<ExplainedBenchmark> benchmarks;
  std::vector<std::string> notes; ///< what the reader should know beside
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

/// The parts that explanation_text consists of.
std::string similarity_text(const ExplainedBenchmark& one, const ExplanationLook& look);
std::string run_report_text(const ExplainedBenchmark& one, const ExplanationLook& look);
std::string overview_text(const ExplainedBenchmark& one, const ExplanationLook& look);

/// A warning for each run that did not finish, with the end of what it printed.
std::string unfinished_text(const std::vector<explain::UnfinishedRun>& runs);

} // namespace dragnet::report
