// The blocks of a function in order, outer before inner, and what they have in common.
#pragma once

#include "model/source.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::structure {

/// A function by its number in the program.
using FunctionNumber = std::size_t;

constexpr std::size_t no_loop = static_cast<std::size_t>(-1);

/// A block by its number in this order. Borrowed.
struct PlacedBlock {
  const SourceBlock* block = nullptr;
  std::size_t inner_loop = no_loop; ///< the number of the innermost loop around it
  std::size_t end = 0;              ///< the number after its last inner block
  std::uint64_t callee = 0;         ///< what a call calls, as far as it is known
};

/// All blocks of a function; the first is its body.
std::vector<PlacedBlock> in_order(const SourceBlock& body);

/// The same of a function whose calls are known, with what they call.
std::vector<PlacedBlock> placed_blocks(const SourceFunction& function);

/// What a block is by its own: what it calls, else its head, or that it leaves the function; 0 for
/// a mere sequence.
std::uint64_t head_of(const PlacedBlock& placed);

/// What a block consists of with all inside, sorted.
using Heads = std::vector<std::uint64_t>;
Heads heads_in(const std::vector<PlacedBlock>& blocks, std::size_t number);

/// How much of the first is in the second, 0 to 1.
double share_of(const Heads& part, const Heads& whole);

/// How much two bodies have in common, 0 to 1.
double likeness(const Heads& a, const Heads& b);

} // namespace dragnet::structure
