// What one call of a function costs of what its calls cost on average: numbers that are handed over
// decide branches.
#pragma once

#include "analysis/rank/frequencies.h"
#include "analysis/rank/revision.h"
#include "analysis/structure/program.h"

#include <vector>

namespace dragnet::rank {

/// The shares of each call of a version with its targets, by the number of the call; 1 where
/// nothing is known.
Shares shares_of(const Circumstances& circumstances, const AllLoops& loops,
                 const structure::Version& version, const Targets& targets);

} // namespace dragnet::rank
