// Measures benchmarks along a history, coarse to fine: commits that are spread evenly first, then
// those between neighbours whose values differ. What is kept is not measured again.
#pragma once

#include "analysis/change_points/timeline.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/rounds.h"
#include "model/run.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace dragnet::check {

struct TimelineRequest {
  std::vector<Commit> commits;       ///< oldest first; at least one
  std::string order;                 ///< of the commits, in words
  std::vector<Benchmark> benchmarks; ///< each with the metrics that are wanted
  std::function<Method(const std::string& metric)> method_for;
  std::size_t every = 0;         ///< only each so-many-th commit and the ends; 0: spread and refine
  std::size_t runs = 5;          ///< of a commit; counted ones need only one
  Seconds budget{600};           ///< of building and running in this call
  double smallest_effect = 0.02; ///< of imported series: smaller changes do not matter
};

/// Measures and finds the changes of each series. Commits that do not build, or at which a
/// benchmark fails, are gaps; an interruption is part of the answer.
Result<change_points::Timeline> follow(SearchLab& lab, const TimelineRequest& request,
                                       Progress& progress);

} // namespace dragnet::check
