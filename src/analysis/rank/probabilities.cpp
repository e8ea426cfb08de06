#include "analysis/rank/probabilities.h"

#include "analysis/rank/frequencies.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::rank {

namespace {

// How likely code that got a condition is left out.
constexpr double skip_probability = 0.5;

// What the parts of a branch were taken that are gone, its new parts are taken now.
void share_the_rest(const structure::ProgramFunction& both, const structure::Version& before,
                    std::size_t branch, const Probabilities& base, Probabilities& next) {
  const auto& blocks = both.next.blocks;
  double kept = 0;
  std::vector<std::size_t> open;
  for (std::size_t part = branch + 1; part < blocks[branch].end; part = blocks[part].end)
    if (both.old_block[part])
      kept += next[part].value_or(0);
    else
      open.push_back(part);
  const auto& old_blocks = before.blocks;
  const auto& old_branch = both.old_block[branch];
  if (!old_branch || open.empty() || *old_branch + 1 >= old_blocks[*old_branch].end ||
      !base[*old_branch + 1])
    return;
  constexpr double least = 0.001;
  if (1 - kept > least)
    for (const std::size_t part : open)
      next[part] = (1 - kept) / static_cast<double>(open.size());
}

bool holds_old_code(const structure::ProgramFunction& both, std::size_t part) {
  const auto& blocks = both.next.blocks;
  for (std::size_t i = part + 1; i < blocks[part].end; ++i)
    if (both.old_block[i] && structure::head_of(blocks[i]) != 0)
      return true;
  return false;
}

bool is_empty(const std::vector<structure::PlacedBlock>& blocks, std::size_t part) {
  return blocks[part].end == part + 1 && blocks[part].block->weight == 0;
}

// Code that stands in one part of a new branch now, beside code that is new, is mostly still done;
// of code that has only got a condition nothing is known.
void prefer_old_code(const structure::ProgramFunction& both, std::size_t branch,
                     Probabilities& next) {
  const auto& blocks = both.next.blocks;
  std::vector<std::size_t> old_parts;
  Probabilities rare(next.size());
  double sum = 0;
  for (std::size_t part = branch + 1; part < blocks[branch].end; part = blocks[part].end) {
    if (next[part])
      return;
    if (holds_old_code(both, part)) {
      old_parts.push_back(part);
      continue;
    }
    const double chance = is_empty(blocks, part) ? skip_probability : new_part_probability;
    rare[part] = chance;
    sum += chance;
  }
  if (old_parts.empty() || sum == 0)
    return;
  for (std::size_t part = branch + 1; part < blocks[branch].end; part = blocks[part].end)
    next[part] = rare[part].value_or((1 - sum) / static_cast<double>(old_parts.size()));
}

} // namespace

Probabilities base_probabilities(const structure::Version& base, std::span<const double> counts) {
  Probabilities result(base.blocks.size());
  if (counts.empty())
    return result;
  for (std::size_t i = 0; i < base.blocks.size(); ++i) {
    if (base.blocks[i].block->kind != BlockKind::Branch || counts[i] <= 0)
      continue;
    double sum = 0;
    for (std::size_t part = i + 1; part < base.blocks[i].end; part = base.blocks[part].end)
      sum += counts[part];
    for (std::size_t part = i + 1; part < base.blocks[i].end; part = base.blocks[part].end)
      if (sum > 0)
        result[part] = counts[part] / sum;
  }
  return result;
}

Probabilities base_probabilities(const Circumstances& circumstances,
                                 structure::FunctionNumber function) {
  const structure::Version& base = circumstances.program.functions()[function].base;
  Probabilities result(base.blocks.size());
  if (const Executed* executed = circumstances.test.find(function))
    result = base_probabilities(base, executed->blocks);
  const auto& usual = circumstances.usual.blocks[function];
  if (usual.size() != base.blocks.size())
    return result;
  const Probabilities elsewhere = base_probabilities(base, usual);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!result[i])
      result[i] = elsewhere[i];
  return result;
}

Probabilities next_probabilities(const structure::ProgramFunction& function,
                                 const structure::Version& before, const Probabilities& base) {
  Probabilities result(function.next.blocks.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const auto& block = function.old_block[i])
      result[i] = base[*block];
  for (std::size_t i = 0; i < result.size(); ++i)
    if (function.next.blocks[i].block->kind == BlockKind::Branch) {
      share_the_rest(function, before, i, base, result);
      if (!function.old_block[i])
        prefer_old_code(function, i, result);
    }
  return result;
}

} // namespace dragnet::rank
