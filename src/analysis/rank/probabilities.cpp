#include "analysis/rank/probabilities.h"

#include "analysis/rank/program.h"
#include "model/source.h"

#include <cstddef>
#include <span>

namespace dragnet::rank {

Probabilities base_probabilities(const Version& base, std::span<const double> counts) {
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

Probabilities next_probabilities(const ProgramFunction& both, const Probabilities& base) {
  Probabilities result(both.next.blocks.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const auto& block = both.old_block[i])
      result[i] = base[*block];
  return result;
}

} // namespace dragnet::rank
