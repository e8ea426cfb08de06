// What the store holds along a history, as series with their changes; nothing is measured.
#pragma once

#include "analysis/change_points/timeline.h"
#include "base/result.h"
#include "model/commit.h"
#include "store/store.h"

#include <string>
#include <vector>

namespace dragnet::check {

struct KeptRequest {
  std::vector<Commit> commits;         ///< oldest first; at least one
  std::string order;                   ///< of the commits, in words
  std::vector<std::string> benchmarks; ///< names; all when empty
  std::vector<std::string> metrics;    ///< all when empty
  double smallest_effect = 0.02;       ///< smaller changes do not matter
};

/// What was imported for these commits: one series for each benchmark, metric, tool and machine.
Result<change_points::Timeline> follow_imported(store::Store& store, const KeptRequest& request);

/// What was measured on a machine, and what was imported. Of a benchmark whose definition changed,
/// each definition is a series of its own.
Result<change_points::Timeline> follow_kept(store::Store& store, const KeptRequest& request,
                                            const std::string& machine);

} // namespace dragnet::check
