// Which functions made a benchmark cost more or less? Compares what it executed before and after a
// commit, function by function. What unchanged functions cost more is put down to the changed ones
// that call them: they only do what they are told.
#pragma once

#include "analysis/explain/both_sides.h"
#include "model/check.h"

#include <cstddef>
#include <vector>

namespace dragnet::explain {

/// Which way the benchmark moved, so that what explains it comes first.
enum class Direction { Worse, Better };

/// Functions whose cost moved, or whose code changed and is executed; the most telling first:
/// changed ones by what they explain, then unchanged ones by what they cost more themselves. At
/// most `most`.
std::vector<ChangedFunction> changed_functions(const BothSides& sides, Direction direction,
                                               std::size_t most);

/// Whether the benchmark executes nothing that the commit changed, on either side.
bool executes_nothing_changed(const BothSides& sides);

/// The part of the instructions, of the side where it is larger, in changed functions and what
/// they call.
double changed_share(const BothSides& sides);

} // namespace dragnet::explain
