// How likely branches take their parts, as a test took them.
#pragma once

#include "analysis/rank/revision.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"

#include <optional>
#include <span>
#include <vector>

namespace dragnet::rank {

/// By block, for parts of branches; nothing where it is not known.
using Probabilities = std::vector<std::optional<double>>;

/// Of the base, from how often each block was reached; none where that is not known.
Probabilities base_probabilities(const structure::Version& base, std::span<const double> counts);

/// Of the base: as the test took them; those that it did not reach, as other tests do.
Probabilities base_probabilities(const Circumstances& circumstances,
                                 structure::FunctionNumber function);

/// Of the next version: those of the blocks that were there before, in the version `before`.
Probabilities next_probabilities(const structure::ProgramFunction& function,
                                 const structure::Version& before, const Probabilities& base);

} // namespace dragnet::rank
