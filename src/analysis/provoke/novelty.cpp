#include "analysis/provoke/novelty.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"

#include <cstdint>
#include <random>
#include <span>

namespace dragnet::provoke {

void Novelty::add(const Individual& individual, std::span<const std::uint32_t> traits) {
  for (const auto trait : traits) {
    const auto [found, added] = niches_.try_emplace(trait);
    if (added)
      traits_.push_back(trait);
    auto& niche = found->second;
    ++niche.seen;
    if (added || individual.score.mean > niche.best.score.mean)
      niche.best = individual;
  }
}

const Chromosome& Novelty::choose(std::mt19937_64& random) const {
  const Niche* chosen = nullptr;
  for (int i = 0; i < 3; ++i) {
    const auto& niche = niches_.at(traits_[below(traits_.size(), random)]);
    if (chosen == nullptr || niche.seen < chosen->seen)
      chosen = &niche;
  }
  return chosen->best.chromosome;
}

} // namespace dragnet::provoke
