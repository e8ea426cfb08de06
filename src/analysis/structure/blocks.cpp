#include "analysis/structure/blocks.h"

#include "base/function_name.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace dragnet::structure {
namespace {

using Blocks = std::vector<PlacedBlock>;

void place(const SourceBlock& block, std::size_t inner_loop, Blocks& blocks) {
  const std::size_t number = blocks.size();
  blocks.push_back({.block = &block, .inner_loop = inner_loop});
  const std::size_t inside = block.kind == BlockKind::Loop ? block.subject : inner_loop;
  for (const SourceBlock& part : block.parts)
    place(part, inside, blocks);
  blocks[number].end = blocks.size();
}

// Overloads of a function, and a function that takes something else now, count as the same.
std::uint64_t callee_of(const SourceCall& call) {
  if (call.targets.empty())
    return 0;
  const std::string& target = call.targets.front();
  return std::hash<std::string>()(short_name(target.substr(0, target.find('@'))));
}

} // namespace

Blocks in_order(const SourceBlock& body) {
  Blocks blocks;
  place(body, no_loop, blocks);
  return blocks;
}

Blocks placed_blocks(const SourceFunction& function) {
  Blocks blocks = in_order(function.body);
  for (PlacedBlock& placed : blocks)
    if (placed.block->kind == BlockKind::Call)
      placed.callee = callee_of(function.calls[placed.block->subject]);
  return blocks;
}

std::uint64_t head_of(const PlacedBlock& placed) {
  if (placed.block->kind == BlockKind::Sequence)
    return 0;
  if (placed.block->kind == BlockKind::Exit)
    return 1;
  return placed.callee != 0 ? placed.callee : placed.block->identity;
}

Heads heads_in(const Blocks& blocks, std::size_t number) {
  Heads heads;
  for (std::size_t i = number; i < blocks[number].end; ++i)
    if (const std::uint64_t head = head_of(blocks[i]); head != 0)
      heads.push_back(head);
  std::ranges::sort(heads);
  return heads;
}

double share_of(const Heads& part, const Heads& whole) {
  Heads common;
  std::ranges::set_intersection(part, whole, std::back_inserter(common));
  return part.empty() ? 1 : static_cast<double>(common.size()) / static_cast<double>(part.size());
}

double likeness(const Heads& a, const Heads& b) {
  return a.size() > b.size() ? share_of(a, b) : share_of(b, a);
}

} // namespace dragnet::structure
