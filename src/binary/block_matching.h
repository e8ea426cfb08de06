// Which blocks of a function's new version are those of its old one, wherever compilers put them
// and whatever registers they use: by content, then by what stands around them. After Dullien and
// Rolles 2005, "Graph-based comparison of executable objects".
#pragma once

#include "binary/outline.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::binary {

/// A version of a function.
struct Version {
  explicit Version(const Outline& its_outline)
      : outline(its_outline), blocks(blocks_of(its_outline)) {}

  const Outline& outline;
  std::vector<Block> blocks;
};

struct BlockMatch {
  static constexpr std::uint32_t none = UINT32_MAX;     ///< there is no such block
  static constexpr std::uint32_t copy = UINT32_MAX - 1; ///< it is one of several that are alike

  std::vector<std::uint32_t> old_of; ///< by new block
  std::vector<std::uint32_t> new_of; ///< by old block
};

/// How many operations two pieces of code have in common, to the mean of their lengths: 0 to 1.
/// Both are sorted.
double likeness(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b);

BlockMatch match_blocks(const Version& before, const Version& now);

} // namespace dragnet::binary
