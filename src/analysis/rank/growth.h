// Loops that repeat more or less often now because of what others do: they walk what is filled
// otherwise, or what calls hand over more of.
#pragma once

#include "analysis/rank/loop_counts.h"
#include "analysis/rank/revision.h"

#include <span>
#include <vector>

namespace dragnet::rank {

/// What a test shows of sizes, and of how often things happen.
struct Sight {
  const Circumstances& circumstances;
  const LoopCounts& sizes;       ///< of collections
  std::span<const double> calls; ///< of each function of the next version, about
  std::span<const double> times; ///< of each handing of the next version
};

/// Iterations of a loop over the whole test, for each loop of the base.
std::vector<double> base_totals(const Circumstances& circumstances);

/// Loops that walk what is filled otherwise now grow or shrink with it, as far as it is known how
/// often what fills it repeats.
void grow(const Sight& sight, const LoopCounts& known, AllLoops& loops);

/// Loops walk more or less of what calls hand over.
void stretch(const Sight& sight, AllLoops& loops);

} // namespace dragnet::rank
