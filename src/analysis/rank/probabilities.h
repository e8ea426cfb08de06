// How likely branches take their parts, as a test took them.
#pragma once

#include "analysis/rank/program.h"

#include <optional>
#include <span>
#include <vector>

namespace dragnet::rank {

/// By block, for parts of branches; nothing where it is not known.
using Probabilities = std::vector<std::optional<double>>;

/// Of the base, from how often each block was reached; none where that is not known.
Probabilities base_probabilities(const Version& base, std::span<const double> counts);

/// Of the next version: those of the blocks that were there before.
Probabilities next_probabilities(const ProgramFunction& both, const Probabilities& base);

} // namespace dragnet::rank
