// Drives the search for a culprit: builds and measures what the search asks for, and tells it what
// came of it. What is kept from before is told first, so that an interrupted search goes on.
#pragma once

#include "analysis/bisect/finding.h"
#include "analysis/bisect/search.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/rounds.h"
#include "model/run.h"

#include <string>
#include <vector>

namespace dragnet::check {

struct BisectionRequest {
  std::vector<Commit> commits; ///< the good end first, the bad end last; at least two
  std::vector<double> prior;   ///< one weight for each commit but the good end
  Benchmark benchmark;
  std::string metric;
  Method method = Method::Timed;
  double confidence = 0.95;
  double smallest_effect = 0.02; ///< as a share
  Seconds budget{600};           ///< of building and running in this call
};

/// Searches until the culprit is known well enough, nothing more can be learned, or the budget is
/// spent. An Error where an end does not build or cannot be measured; an interruption is part of
/// the finding.
Result<bisect::Finding> bisect_line(SearchLab& lab, const BisectionRequest& request,
                                    Progress& progress);

} // namespace dragnet::check
