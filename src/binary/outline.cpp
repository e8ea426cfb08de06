#include "binary/outline.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::binary {
namespace {

std::vector<bool> beginnings(const Outline& outline) {
  std::vector<bool> begins(outline.size());
  if (!outline.empty())
    begins[0] = true;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const bool jumps = outline[i].target != Outlined::none;
    if (jumps)
      begins[outline[i].target] = true;
    if ((jumps || !outline[i].falls_through) && i + 1 < outline.size())
      begins[i + 1] = true;
  }
  return begins;
}

void join(std::vector<Block>& blocks, std::size_t from, std::uint32_t to) {
  blocks[from].after.push_back(to);
  blocks[to].before.push_back(static_cast<std::uint32_t>(from));
}

} // namespace

std::vector<Block> blocks_of(const Outline& outline) {
  const std::vector<bool> begins = beginnings(outline);
  std::vector<Block> blocks;
  std::vector<std::uint32_t> block_of(outline.size());
  for (std::size_t i = 0; i < outline.size(); ++i) {
    if (begins[i])
      blocks.push_back(
          {.first = static_cast<std::uint32_t>(i), .count = 0, .after = {}, .before = {}});
    ++blocks.back().count;
    block_of[i] = static_cast<std::uint32_t>(blocks.size() - 1);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Outlined& last = outline[blocks[i].end() - 1];
    if (last.falls_through && i + 1 < blocks.size())
      join(blocks, i, static_cast<std::uint32_t>(i + 1));
    if (last.target != Outlined::none)
      join(blocks, i, block_of[last.target]);
  }
  return blocks;
}

} // namespace dragnet::binary
