// What a commit makes of one test's cost: the model of the base extended by the commit, and the
// changes propagated to the root.
#pragma once

#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"

#include <string>
#include <vector>

namespace dragnet::rank {

/// Where a change of cost arises.
struct Origin {
  structure::FunctionNumber function = 0;
  double change = 0; ///< over the whole test, in the unit of its cost
};

/// A step from the root to an origin.
struct Step {
  structure::FunctionNumber function = 0;
  double frequency = 1; ///< how often the step before calls it for one execution
};

struct Estimate {
  std::string test;
  double cost = 0;      ///< before
  double change = 0;    ///< of the cost; negative: faster
  bool reached = false; ///< it executes something that the commit changed, or may call it now
  double edited = 0;    ///< what edits may cost that are not understood
  std::vector<Origin> origins; ///< the largest first
  std::vector<Step> path;      ///< from the root to the first origin

  /// The change as a share of the cost; infinite where something costs that was free.
  double relative() const;
};

/// Costs of bodies (section 3.3.2): known ones as recorded, removed ones nothing, unknown ones the
/// average, new ones by their callees.
Estimate estimated(const Circumstances& circumstances, Method method);

} // namespace dragnet::rank
