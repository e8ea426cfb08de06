#include "analysis/structure/matching.h"

#include "analysis/structure/blocks.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::structure {
namespace {

// Beyond so many comparisons only equal beginnings and ends are matched.
constexpr std::size_t most_comparisons = 16'000'000;
// Branches and calls whose heads differ are the same where they have so much in common.
constexpr double alike_enough = 0.3;

using Matches = std::vector<std::optional<std::size_t>>;
using Blocks = std::vector<PlacedBlock>;
using Numbers = std::vector<std::size_t>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Numbers parts_of(const Blocks& blocks, std::size_t number) {
  Numbers parts;
  for (std::size_t part = number + 1; part < blocks[number].end; part = blocks[part].end)
    parts.push_back(part);
  return parts;
}

// The numbers of the blocks that have a head.
Numbers with_head(const Blocks& blocks) {
  Numbers numbers;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockKind kind = blocks[i].block->kind;
    if (kind == BlockKind::Loop || kind == BlockKind::Branch || kind == BlockKind::Call)
      numbers.push_back(i);
  }
  return numbers;
}

// How much each of some is like each of others, 0 to 1.
class Likeness {
public:
  Likeness(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), values_(rows * columns, 0.0) {}
  double& at(std::size_t i, std::size_t j) { return values_[(i * columns_) + j]; }
  double at(std::size_t i, std::size_t j) const { return values_[(i * columns_) + j]; }

  // Pairs of places, in order, so that the sum of their likeness is largest.
  Pairs best_pairs() const {
    Likeness best(rows_ + 1, columns_ + 1);
    for (std::size_t i = rows_; i-- > 0;)
      for (std::size_t j = columns_; j-- > 0;)
        best.at(i, j) =
            std::max({best.at(i + 1, j), best.at(i, j + 1), best.at(i + 1, j + 1) + at(i, j)});
    Pairs pairs;
    for (std::size_t i = 0, j = 0; i < rows_ && j < columns_;)
      if (at(i, j) > 0 && best.at(i, j) == best.at(i + 1, j + 1) + at(i, j))
        pairs.emplace_back(i++, j++);
      else if (best.at(i, j) == best.at(i + 1, j))
        ++i;
      else
        ++j;
    return pairs;
  }

private:
  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> values_;
};

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
    matches_[new_[j]] = old_[i];
    const auto old_parts = parts_of(old_blocks_, old_[i]);
    auto new_parts = parts_of(new_blocks_, new_[j]);
    if (old_parts.size() != new_parts.size())
      match_parts(old_parts, new_parts);
    else if (same(i, j))
      for (std::size_t part = 0; part < new_parts.size(); ++part)
        matches_[new_parts[part]] = old_parts[part];
    else
      match_turned(old_parts, std::move(new_parts));
  }

  static std::vector<Heads> heads_below(const Blocks& blocks, const Numbers& numbers) {
    std::vector<Heads> heads;
    heads.reserve(numbers.size());
    for (const std::size_t number : numbers)
      heads.push_back(heads_in(blocks, number));
    return heads;
  }

  // How much each of some old blocks has in common with each of some new ones.
  Likeness likenesses(const Numbers& old_numbers, const Numbers& new_numbers, double enough) const {
    const auto old_heads = heads_below(old_blocks_, old_numbers);
    const auto new_heads = heads_below(new_blocks_, new_numbers);
    Likeness table(old_heads.size(), new_heads.size());
    for (std::size_t i = 0; i < old_heads.size(); ++i)
      for (std::size_t j = 0; j < new_heads.size(); ++j)
        if (const double value = likeness(old_heads[i], new_heads[j]); value > enough)
          table.at(i, j) = value;
    return table;
  }

  // A choice among more or fewer parts than before: those that have most in common, in order.
  void match_parts(const Numbers& old_parts, const Numbers& new_parts) {
    for (const auto& [i, j] : likenesses(old_parts, new_parts, 0).best_pairs())
      matches_[new_parts[j]] = old_parts[i];
  }

  // A condition that is another now may be the opposite.
  void match_turned(const Numbers& old_parts, Numbers new_parts) {
    const auto old_heads = heads_below(old_blocks_, old_parts);
    auto new_heads = heads_below(new_blocks_, new_parts);
    const auto all_alike = [&] {
      double sum = 0;
      for (std::size_t part = 0; part < old_parts.size(); ++part)
        sum += likeness(old_heads[part], new_heads[part]);
      return sum;
    };
    const double straight = all_alike();
    std::ranges::reverse(new_heads);
    if (new_parts.size() == 2 && all_alike() > straight)
      std::ranges::reverse(new_parts);
    for (std::size_t part = 0; part < new_parts.size(); ++part)
      matches_[new_parts[part]] = old_parts[part];
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

  // What is left between two that are matched: where both versions have as many loops, their heads
  // were edited; of branches and calls those that are alike.
  void match_edited() {
    std::size_t old_begin = 0;
    std::size_t new_begin = 0;
    for (std::size_t j = 0; j <= new_.size(); ++j) {
      if (j < new_.size() && !matches_[new_[j]])
        continue;
      const auto place =
          j == new_.size() ? old_.end() : std::ranges::lower_bound(old_, *matches_[new_[j]]);
      const auto i = static_cast<std::size_t>(place - old_.begin());
      match_gap({old_begin, i}, {new_begin, j});
      old_begin = i + 1;
      new_begin = j + 1;
    }
  }

  using Range = std::pair<std::size_t, std::size_t>;

  void match_gap(Range old_range, Range new_range) {
    const auto old_loops = heads_of(BlockKind::Loop, old_range, old_, old_blocks_);
    const auto new_loops = heads_of(BlockKind::Loop, new_range, new_, new_blocks_);
    if (old_loops.size() == new_loops.size())
      for (std::size_t k = 0; k < old_loops.size(); ++k)
        match(old_loops[k], new_loops[k]);
    for (const BlockKind kind : {BlockKind::Branch, BlockKind::Call})
      match_alike(heads_of(kind, old_range, old_, old_blocks_),
                  heads_of(kind, new_range, new_, new_blocks_));
  }

  void match_alike(const Numbers& old_heads, const Numbers& new_heads) {
    if (old_heads.size() * new_heads.size() > most_comparisons)
      return;
    const auto blocks_of = [](const Numbers& numbers, const Numbers& heads) {
      Numbers blocks;
      for (const std::size_t number : numbers)
        blocks.push_back(heads[number]);
      return blocks;
    };
    const Pairs pairs =
        likenesses(blocks_of(old_heads, old_), blocks_of(new_heads, new_), alike_enough)
            .best_pairs();
    for (const auto& [i, j] : pairs)
      match(old_heads[i], new_heads[j]);
    if (pairs.empty() && old_heads.size() == new_heads.size())
      for (std::size_t i = 0; i < old_heads.size(); ++i)
        if (have_one_shape(old_[old_heads[i]], new_[new_heads[i]]))
          match(old_heads[i], new_heads[i]);
  }

  // Branches with as many parts, of which the same ones leave the function; no calls.
  bool have_one_shape(std::size_t old_block, std::size_t new_block) const {
    const auto old_parts = parts_of(old_blocks_, old_block);
    const auto new_parts = parts_of(new_blocks_, new_block);
    return !old_parts.empty() &&
           std::ranges::equal(old_parts, new_parts, [&](std::size_t a, std::size_t b) {
             return leaves(old_blocks_, a) == leaves(new_blocks_, b);
           });
  }

  static bool leaves(const Blocks& blocks, std::size_t part) {
    return std::any_of(
        blocks.begin() + static_cast<std::ptrdiff_t>(part),
        blocks.begin() + static_cast<std::ptrdiff_t>(blocks[part].end),
        [](const PlacedBlock& placed) { return placed.block->kind == BlockKind::Exit; });
  }

  // Of the heads from one up to another, those of a kind.
  static Numbers heads_of(BlockKind kind, Range range, const Numbers& heads, const Blocks& blocks) {
    Numbers found;
    for (std::size_t i = range.first; i < range.second; ++i)
      if (blocks[heads[i]].block->kind == kind)
        found.push_back(i);
    return found;
  }

  const Blocks& old_blocks_;
  const Blocks& new_blocks_;
  Numbers old_;
  Numbers new_;
  Matches matches_;
};

} // namespace

std::vector<std::optional<std::size_t>> matched(const std::vector<PlacedBlock>& old_blocks,
                                                const std::vector<PlacedBlock>& new_blocks) {
  return Matcher(old_blocks, new_blocks).run();
}

} // namespace dragnet::structure
