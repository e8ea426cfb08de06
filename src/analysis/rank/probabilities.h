// How likely branches take their parts, as a test took them.
#pragma once

#include "analysis/rank/frequencies.h"
#include "analysis/rank/program.h"
#include "analysis/rank/revision.h"

#include <optional>
#include <span>
#include <vector>

namespace dragnet::rank {

/// By block, for parts of branches; nothing where it is not known.
using Probabilities = std::vector<std::optional<double>>;

/// Of the base, from how often each block was reached; none where that is not known.
Probabilities base_probabilities(const Version& base, std::span<const double> counts);

/// Of the base: as the test took them; those that it did not reach, as other tests do.
Probabilities base_probabilities(const Circumstances& circumstances, FunctionNumber function);

/// Of the next version: those of the blocks that were there before, in the version `before`.
Probabilities next_probabilities(const ProgramFunction& function, const Version& before,
                                 const Probabilities& base);

} // namespace dragnet::rank
