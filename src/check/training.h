// Learns from a history: builds and profiles its commits, and looks which benchmarks changed.
#pragma once

#include "analysis/select/example.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::check {

/// Which pairs of commits become examples.
enum class Pairs {
  Parents, ///< each commit with the one before it
  All      ///< each with every one before it: for histories with few changes
};

struct TrainingRequest {
  std::vector<Commit> commits;         ///< oldest first, one line
  std::vector<std::string> benchmarks; ///< names; all when empty
  Pairs pairs = Pairs::Parents;
};

struct TrainingSet {
  std::vector<select::Example> examples;
  std::vector<std::string> notes; ///< what could not be used, and why
};

/// Builds and profiles what is not kept yet, and makes examples of it all. A commit that does not
/// build, or a benchmark that cannot be profiled, is left out with a note.
Result<TrainingSet> make_examples(lab::Laboratory& laboratory, const TrainingRequest& request);

/// Trains all methods on examples and keeps what they learned.
Result<> learn(lab::Laboratory& laboratory, const std::vector<select::Example>& examples);

} // namespace dragnet::check
