// How often loops repeat that were never seen, from the collections that they share with loops that
// were (Mostafa, Wang and Xie 2017, section 3.4).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace dragnet::rank {

/// What may be more things than so many others is told by its name alone.
constexpr std::size_t most_known_aliases = 4;

/// For each loop the collections that its count depends on, and those that it adds to or removes
/// from, by their numbers.
struct Correlation {
  std::vector<std::vector<std::size_t>> walks;   ///< iteration dependency
  std::vector<std::vector<std::size_t>> changes; ///< operation dependency
  std::vector<std::vector<std::size_t>> fills;   ///< of these, what it adds to, as far as known
  std::size_t collections = 0;
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<std::vector<std::size_t>> names = {}; ///< of walks, without what they may be
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<std::vector<std::size_t>> known_changes = {}; ///< without what may be too many things
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<double> rates = {}; ///< repetitions for each element; empty: one
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<double> times = {}; ///< where it is a constant; 0: it is not
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<bool> partial = {}; ///< it is no whole walk; empty: all are

  /// Walks, without what they may be where that is too many things to say anything.
  std::vector<std::vector<std::size_t>> known_walks() const;
};

/// Average iterations of each loop each time it is reached; nothing where that is not known.
using LoopCounts = std::vector<std::optional<double>>;

/// Algorithm 1: counts flow from known loops to collections and on to unknown loops; each loop is
/// set at most once, a collection adds up. Both maps are read in both directions: as they are
/// printed, from loops to what they walk and from collections to the loops that fill them, loop A
/// of the paper's Listing 1 could not tell the count of loop B.
LoopCounts inferred(const Correlation& correlation, LoopCounts known);

/// The same with the average of the known loops for those that correlate with nothing; 1 where none
/// is known.
LoopCounts inferred_or_average(const Correlation& correlation, const LoopCounts& known);

/// The part of ours that is sure: the largest count of the known loops that walk the same by its
/// name, or the sum of those that fill it.
LoopCounts inferred_by_name(const Correlation& correlation, LoopCounts known);

/// And the size of the one known thing that a collection can be.
LoopCounts inferred_by_identity(const Correlation& correlation, LoopCounts known);

/// The sizes of collections that known loops walk by their names from end to end. Less than one is
/// no size: such loops go on where others ended.
LoopCounts walked_sizes(const Correlation& correlation, const LoopCounts& known);

/// How far walks of collections came at most, by their names, partial or not.
LoopCounts reached_sizes(const Correlation& correlation, const LoopCounts& known);

/// With loops of which nothing is known set from sizes of what they walk.
LoopCounts counted_by(const Correlation& correlation, const LoopCounts& sizes, LoopCounts known);

/// Ours: the size of a collection is the largest count of the known loops that walk it by its name;
/// else the geometric mean of those that walk what may be it; else the sum of those that fill it.
/// Counts go from sizes to the unknown loops that walk them, by name before others, and from those
/// to what they fill, until nothing is new.
LoopCounts inferred_by_size(const Correlation& correlation, LoopCounts known);

} // namespace dragnet::rank
