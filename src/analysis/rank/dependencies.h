// Which loops walk and change which collections, through calls and aliases.
#pragma once

#include "analysis/rank/loop_counts.h"
#include "model/source.h"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace dragnet::rank {

/// The common numbers of collections by name.
using CollectionNumbers = std::unordered_map<std::string, std::size_t>;

/// The dependencies of all loops of some facts, in the order of functions and within them. Calls
/// inside a loop are followed, inner loops are not: what they change depends on them. Names that
/// are not numbered yet get the next number.
Correlation dependencies(const SourceFacts& facts, CollectionNumbers& numbers);

} // namespace dragnet::rank
