#include "analysis/rank/frequencies.h"

#include "analysis/structure/blocks.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

// How likely a branch leaves the function where nothing is known: guards are written for the rare
// case. A larger guess would drown what the commit adds in what it might leave out.
constexpr double guard_probability = 0.0001;

void add(Frequencies& sum, const Frequencies& more) {
  for (const auto& [callee, frequency] : more)
    sum[callee] += frequency;
}

void take_larger(Frequencies& largest, const Frequencies& other) {
  for (const auto& [callee, frequency] : other)
    largest[callee] = std::max(largest[callee], frequency);
}

void divide_among(Frequencies& calls, const std::vector<structure::FunctionNumber>& targets,
                  double times) {
  for (const structure::FunctionNumber target : targets)
    calls[target] += times / static_cast<double>(targets.size());
}

bool leaves(const SourceBlock& block) {
  if (block.kind == BlockKind::Exit)
    return true;
  return block.kind == BlockKind::Sequence && std::ranges::any_of(block.parts, leaves);
}

class Walk {
public:
  Walk(const std::vector<structure::PlacedBlock>& blocks, const Ways& ways)
      : blocks_(blocks), ways_(ways), reached_{.blocks = std::vector<double>(blocks.size(), 0.0)} {}

  Reached run() {
    if (!blocks_.empty())
      reached_.exits = visit(0, 1);
    return std::move(reached_);
  }

private:
  // Enters a block so many times; how many of them left the function.
  double visit(std::size_t number, double times) {
    reached_.blocks[number] += times;
    switch (blocks_[number].block->kind) {
    case BlockKind::Sequence:
      return visit_sequence(number, times);
    case BlockKind::Branch:
      return visit_branch(number, times);
    case BlockKind::Loop:
      return visit_loop(number, times);
    case BlockKind::Exit:
      return times;
    case BlockKind::Call:
      break;
    }
    return 0;
  }

  double visit_sequence(std::size_t number, double times) {
    double left = times;
    for (std::size_t part = number + 1; part < blocks_[number].end; part = blocks_[part].end)
      left -= std::min(left, visit(part, left));
    return times - left;
  }

  double visit_branch(std::size_t number, double times) {
    const auto probabilities = probabilities_of(number);
    double exits = 0;
    std::size_t i = 0;
    for (std::size_t part = number + 1; part < blocks_[number].end; part = blocks_[part].end)
      exits += visit(part, times * probabilities[i++]);
    return exits;
  }

  // An exit ends the loop: it is left at most as often as it is entered.
  double visit_loop(std::size_t number, double times) {
    const double iterations = ways_.loops[blocks_[number].block->subject];
    if (number + 1 >= blocks_[number].end)
      return 0;
    return std::min(times, visit(number + 1, times * iterations));
  }

  // Parts that are new in a choice whose others are known are rare; where none is known, they are
  // guessed.
  std::vector<double> probabilities_of(std::size_t branch) const {
    std::vector<double> chances;
    double known = 0;
    std::size_t open = 0;
    for (std::size_t part = branch + 1; part < blocks_[branch].end; part = blocks_[part].end) {
      const auto& probability = ways_.probabilities[part];
      chances.push_back(probability.value_or(-1));
      known += probability.value_or(0);
      open += probability ? 0 : 1;
    }
    if (known <= 0)
      return guessed(branch);
    const double each = std::min(new_part_probability, 1 / static_cast<double>(chances.size()));
    const double rest = 1 - (each * static_cast<double>(open));
    for (double& chance : chances)
      chance = chance < 0 ? each : chance / known * rest;
    return chances;
  }

  std::vector<double> guessed(std::size_t branch) const {
    std::vector<double> chances;
    double sum = 0;
    for (const SourceBlock& part : blocks_[branch].block->parts) {
      chances.push_back(leaves(part) ? guard_probability : 1 - guard_probability);
      sum += chances.back();
    }
    for (double& chance : chances)
      chance /= sum;
    return chances;
  }

  const std::vector<structure::PlacedBlock>& blocks_;
  const Ways& ways_;
  Reached reached_;
};

} // namespace

Frequencies published_frequencies(const SourceBlock& block, const Openings& openings) {
  Frequencies result;
  if (block.kind == BlockKind::Call)
    divide_among(result, openings.targets[block.subject], 1);
  for (const SourceBlock& part : block.parts) {
    const Frequencies inner = published_frequencies(part, openings);
    if (block.kind == BlockKind::Branch)
      take_larger(result, inner);
    else
      add(result, inner);
  }
  if (block.kind == BlockKind::Loop)
    for (auto& [callee, frequency] : result)
      frequency *= openings.loops[block.subject];
  return result;
}

Reached reached(const std::vector<structure::PlacedBlock>& blocks, const Ways& ways) {
  return Walk(blocks, ways).run();
}

Work work_of(const std::vector<structure::PlacedBlock>& blocks, const Reached& reached,
             std::span<const std::vector<structure::FunctionNumber>> targets,
             const Shares& shares) {
  Work work;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const SourceBlock& block = *blocks[i].block;
    work.operations += reached.blocks[i] * block.weight;
    if (block.kind != BlockKind::Call)
      continue;
    const auto& all = targets[block.subject];
    for (std::size_t target = 0; target < all.size(); ++target)
      work.calls[all[target]] += reached.blocks[i] / static_cast<double>(all.size()) *
                                 (shares.empty() ? 1 : shares[block.subject][target]);
  }
  return work;
}

} // namespace dragnet::rank
