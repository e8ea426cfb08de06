// Which loops walk and change which collections, through calls and aliases.
#pragma once

#include "model/source.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace dragnet::structure {

/// The common numbers of collections by name.
using CollectionNumbers = std::unordered_map<std::string, std::size_t>;

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

/// The dependencies of all loops of some facts, in the order of functions and within them. Calls
/// inside a loop are followed, inner loops are not: what they change depends on them. Names that
/// are not numbered yet get the next number.
Correlation dependencies(const SourceFacts& facts, CollectionNumbers& numbers);

} // namespace dragnet::structure
