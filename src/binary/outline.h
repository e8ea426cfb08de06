// A function as comparison sees it: short hashes of its instructions, and the blocks that jumps
// divide it into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::binary {

/// One instruction.
struct Outlined {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::uint16_t token = 0;     ///< of all that it says
  std::uint16_t operation = 0; ///< the same whatever registers and places in memory it uses
  bool falls_through = true;   ///< the next one may follow it
  std::uint32_t target = none; ///< the number of the instruction that it jumps to
  std::uint32_t callee = none; ///< the number of the function that it calls
};

using Outline = std::vector<Outlined>;

/// Instructions that are executed one after the other, from the first to the last.
struct Block {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::vector<std::uint32_t> after;  ///< the numbers of the blocks that may follow
  std::vector<std::uint32_t> before; ///< and of those that it may follow

  std::uint32_t end() const { return first + count; }
};

/// The blocks of a function, in its order; the first is its entry. Where an indirect jump leads is
/// not known.
std::vector<Block> blocks_of(const Outline& outline);

} // namespace dragnet::binary
