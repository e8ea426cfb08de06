// Finds the changed functions that are to blame for a difference in cost: traces both versions on
// the same inputs, ranks the changes, and looks up their source.
#pragma once

#include "analysis/blame/answer.h"
#include "analysis/blame/rank.h"
#include "base/progress.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dragnet::hunt {

struct BlameRequest {
  Build old_build; ///< traced builds
  Build new_build;
  Benchmark benchmark;
  blame::Method method = blame::Method::Credited;
  std::size_t runs = 3;
  std::optional<blame::Cost> cost; ///< not said: which tells more
  std::string boundary;   ///< the function that ends an execution; empty: each process is one
  std::size_t shown = 10; ///< suspects whose commits are looked up
  std::uint64_t most_events = 100'000'000; ///< of a run; with more, calls are not told by paths
};

/// An Error where a version cannot be traced, or where the benchmark fails.
Result<blame::Answer> find_blame(lab::Laboratory& laboratory, const BlameRequest& request,
                                 Progress& progress);

} // namespace dragnet::hunt
