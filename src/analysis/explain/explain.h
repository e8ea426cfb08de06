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

/// How much of a benchmark's work differs between both sides, as shares of the run before.
struct WorkDifference {
  double total = 0;     ///< new / old - 1 of all instructions
  double changed = 0;   ///< instructions in changed functions themselves, of the larger side
  double edited = 0;    ///< moved in changed functions, all taken together
  double unchanged = 0; ///< moved in unchanged functions, up or down, each taken by itself
  double outside = 0;   ///< moved outside the build, in libraries
};

WorkDifference work_difference(const BothSides& sides);

} // namespace dragnet::explain
