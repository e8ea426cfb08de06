#include "analysis/rank/blocks.h"

#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

// Beyond so many comparisons only equal beginnings and ends are matched.
constexpr std::size_t most_comparisons = 16'000'000;

using Matches = std::vector<std::optional<std::size_t>>;
using Blocks = std::vector<PlacedBlock>;

void place(const SourceBlock& block, std::size_t inner_loop, Blocks& blocks) {
  const std::size_t number = blocks.size();
  blocks.push_back({.block = &block, .inner_loop = inner_loop});
  const std::size_t inside = block.kind == BlockKind::Loop ? block.subject : inner_loop;
  for (const SourceBlock& part : block.parts)
    place(part, inside, blocks);
  blocks[number].end = blocks.size();
}

// The numbers of the blocks that have a head.
std::vector<std::size_t> with_head(const Blocks& blocks) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockKind kind = blocks[i].block->kind;
    if (kind == BlockKind::Loop || kind == BlockKind::Branch || kind == BlockKind::Call)
      numbers.push_back(i);
  }
  return numbers;
}

class Matcher {
public:
  Matcher(const Blocks& old_blocks, const Blocks& new_blocks)
      : old_blocks_(old_blocks), new_blocks_(new_blocks), old_(with_head(old_blocks)),
        new_(with_head(new_blocks)), matches_(new_blocks.size()) {}

  Matches run() {
    std::size_t first = 0;
    std::size_t old_end = old_.size();
    std::size_t new_end = new_.size();
    while (first < old_end && first < new_end && same(first, first)) {
      match(first, first);
      ++first;
    }
    while (old_end > first && new_end > first && same(old_end - 1, new_end - 1))
      match(--old_end, --new_end);
    if ((old_end - first) * (new_end - first) <= most_comparisons)
      match_between(first, old_end, new_end);
    if (old_end > first && new_end > first)
      match_edited();
    return std::move(matches_);
  }

private:
  bool same(std::size_t i, std::size_t j) const {
    const SourceBlock& a = *old_blocks_[old_[i]].block;
    const SourceBlock& b = *new_blocks_[new_[j]].block;
    return a.kind == b.kind && a.identity == b.identity;
  }

  void match(std::size_t i, std::size_t j) {
    const PlacedBlock& a = old_blocks_[old_[i]];
    const PlacedBlock& b = new_blocks_[new_[j]];
    matches_[new_[j]] = old_[i];
    if (a.block->parts.size() != b.block->parts.size())
      return;
    std::size_t old_part = old_[i] + 1;
    std::size_t new_part = new_[j] + 1;
    while (new_part < b.end) {
      matches_[new_part] = old_part;
      old_part = old_blocks_[old_part].end;
      new_part = new_blocks_[new_part].end;
    }
  }

  // The longest common subsequence of what is left.
  void match_between(std::size_t first, std::size_t old_end, std::size_t new_end) {
    const std::size_t rows = old_end - first;
    const std::size_t columns = new_end - first;
    std::vector<std::uint32_t> longest((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
      return longest[(i * (columns + 1)) + j];
    };
    for (std::size_t i = rows; i-- > 0;)
      for (std::size_t j = columns; j-- > 0;)
        at(i, j) = same(first + i, first + j) ? at(i + 1, j + 1) + 1
                                              : std::max(at(i + 1, j), at(i, j + 1));
    for (std::size_t i = 0, j = 0; i < rows && j < columns;)
      if (same(first + i, first + j))
        match(first + i++, first + j++);
      else if (at(i + 1, j) >= at(i, j + 1))
        ++i;
      else
        ++j;
  }

  // What is left between two that are matched: where both versions have as many loops, or branches,
  // their heads were edited.
  void match_edited() {
    std::size_t old_begin = 0;
    std::size_t new_begin = 0;
    for (std::size_t j = 0; j <= new_.size(); ++j) {
      if (j < new_.size() && !matches_[new_[j]])
        continue;
      const auto place =
          j == new_.size() ? old_.end() : std::ranges::lower_bound(old_, *matches_[new_[j]]);
      const auto i = static_cast<std::size_t>(place - old_.begin());
      for (const BlockKind kind : {BlockKind::Loop, BlockKind::Branch})
        match_edited(heads_of(kind, {old_begin, i}, old_, old_blocks_),
                     heads_of(kind, {new_begin, j}, new_, new_blocks_));
      old_begin = i + 1;
      new_begin = j + 1;
    }
  }

  using Numbers = std::vector<std::size_t>;

  void match_edited(const Numbers& old_heads, const Numbers& new_heads) {
    if (old_heads.size() == new_heads.size())
      for (std::size_t k = 0; k < old_heads.size(); ++k)
        match(old_heads[k], new_heads[k]);
  }

  // Of the heads from one up to another, those of a kind.
  static Numbers heads_of(BlockKind kind, std::pair<std::size_t, std::size_t> range,
                          const Numbers& heads, const Blocks& blocks) {
    Numbers found;
    for (std::size_t i = range.first; i < range.second; ++i)
      if (blocks[heads[i]].block->kind == kind)
        found.push_back(i);
    return found;
  }

  const Blocks& old_blocks_;
  const Blocks& new_blocks_;
  std::vector<std::size_t> old_;
  std::vector<std::size_t> new_;
  Matches matches_;
};

} // namespace

std::vector<PlacedBlock> in_order(const SourceBlock& body) {
  Blocks blocks;
  place(body, no_loop, blocks);
  return blocks;
}

std::vector<std::optional<std::size_t>> matched(const std::vector<PlacedBlock>& old_blocks,
                                                const std::vector<PlacedBlock>& new_blocks) {
  return Matcher(old_blocks, new_blocks).run();
}

} // namespace dragnet::rank
