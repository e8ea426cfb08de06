// How often loops repeat that were never seen, from the collections that they share with loops that
// were (Mostafa, Wang and Xie 2017, section 3.4).
#pragma once

#include "analysis/structure/dependencies.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace dragnet::rank {

/// Average iterations of each loop each time it is reached; nothing where that is not known.
using LoopCounts = std::vector<std::optional<double>>;

/// Algorithm 1: counts flow from known loops to collections and on to unknown loops; each loop is
/// set at most once, a collection adds up. Both maps are read in both directions: as they are
/// printed, from loops to what they walk and from collections to the loops that fill them, loop A
/// of the paper's Listing 1 could not tell the count of loop B.
LoopCounts inferred(const structure::Correlation& correlation, LoopCounts known);

/// The same with the average of the known loops for those that correlate with nothing; 1 where none
/// is known.
LoopCounts inferred_or_average(const structure::Correlation& correlation, const LoopCounts& known);

/// The part of ours that is sure: the largest count of the known loops that walk the same by its
/// name, or the sum of those that fill it.
LoopCounts inferred_by_name(const structure::Correlation& correlation, LoopCounts known);

/// And the size of the one known thing that a collection can be.
LoopCounts inferred_by_identity(const structure::Correlation& correlation, LoopCounts known);

/// The sizes of collections that known loops walk by their names from end to end. Less than one is
/// no size: such loops go on where others ended.
LoopCounts walked_sizes(const structure::Correlation& correlation, const LoopCounts& known);

/// How far walks of collections came at most, by their names, partial or not.
LoopCounts reached_sizes(const structure::Correlation& correlation, const LoopCounts& known);

/// With loops of which nothing is known set from sizes of what they walk.
LoopCounts counted_by(const structure::Correlation& correlation, const LoopCounts& sizes,
                      LoopCounts known);

/// Ours: the size of a collection is the largest count of the known loops that walk it by its name;
/// else the geometric mean of those that walk what may be it; else the sum of those that fill it.
/// Counts go from sizes to the unknown loops that walk them, by name before others, and from those
/// to what they fill, until nothing is new.
LoopCounts inferred_by_size(const structure::Correlation& correlation, LoopCounts known);

} // namespace dragnet::rank
