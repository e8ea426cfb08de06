// The calls of a benchmark as a tree, with what both sides executed in each place. Profiles know
// who called whom how often, not which path led there: a function's cost is divided among its
// callers by their calls, so that the tree is an estimate where a function has several.
#pragma once

#include "analysis/explain/both_sides.h"
#include "model/check.h"

namespace dragnet::explain {

/// How fine the tree is.
struct TreeLimits {
  double least_share = 0.001; ///< of the run: smaller places are left out
  std::size_t deepest = 60;
  std::size_t most_places = 3000;
};

/// The root stands for the whole run; what was executed outside the build is in no callee.
CallNode call_tree(const BothSides& sides, const TreeLimits& limits);

} // namespace dragnet::explain
