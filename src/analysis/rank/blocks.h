// The blocks of a function in order, outer before inner, and which of two versions correspond.
#pragma once

#include "model/source.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace dragnet::rank {

constexpr std::size_t no_loop = static_cast<std::size_t>(-1);

/// A block by its number in this order. Borrowed.
struct PlacedBlock {
  const SourceBlock* block = nullptr;
  std::size_t inner_loop = no_loop; ///< the number of the innermost loop around it
  std::size_t end = 0;              ///< the number after its last inner block
};

/// All blocks of a function; the first is its body.
std::vector<PlacedBlock> in_order(const SourceBlock& body);

/// For each new block the old one that it was, if any: loops, branches and calls with the same head
/// in the same order, as many as possible; and the parts of such branches and loops.
std::vector<std::optional<std::size_t>> matched(const std::vector<PlacedBlock>& old_blocks,
                                                const std::vector<PlacedBlock>& new_blocks);

} // namespace dragnet::rank
