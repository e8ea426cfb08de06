// What is known of commits before they are measured: a weight for each, for the prior of a search.
#pragma once

#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"

#include <string>
#include <vector>

namespace dragnet::check {

struct Suspicion {
  std::vector<double> weights; ///< one for each commit but the first
  std::string basis;           ///< what they rest on, as a sentence
};

/// Suspects commits by the size of their change. Where two builds are kept anyway, commits between
/// them are all but excluded if both load the same code and data, or if the kept profile of the
/// earlier one shows that the benchmark executes nothing that changed; where something was learned,
/// its probability counts. Builds and measures nothing. The first commit is the good end.
Result<Suspicion> suspicion(lab::Laboratory& laboratory, const std::vector<Commit>& commits,
                            const Benchmark& benchmark);

} // namespace dragnet::check
