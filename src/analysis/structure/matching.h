// Which blocks of two versions of a function correspond.
#pragma once

#include "analysis/structure/blocks.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace dragnet::structure {

/// For each new block the old one that it was, if any: loops, branches and calls with the same head
/// in the same order, as many as possible; between these, loops where there are as many, and
/// branches and calls that have most in common; and the parts of such branches and loops.
std::vector<std::optional<std::size_t>> matched(const std::vector<PlacedBlock>& old_blocks,
                                                const std::vector<PlacedBlock>& new_blocks);

} // namespace dragnet::structure
