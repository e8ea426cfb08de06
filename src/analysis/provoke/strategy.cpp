#include "analysis/provoke/strategy.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/genetic.h"
#include "analysis/provoke/guided.h"
#include "analysis/provoke/random_inputs.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

namespace dragnet::provoke {

std::unique_ptr<Strategy> make_strategy(std::string_view name, const Pool& pool, Noise noise,
                                        std::uint64_t seed) {
  if (name == "published")
    return std::make_unique<Genetic>(pool, GeneticParameters{}, seed);
  if (name == "guided")
    return std::make_unique<Guided>(pool, GuidedParameters{.noise = noise}, seed);
  if (name == "random")
    return std::make_unique<RandomInputs>(pool, seed);
  return nullptr;
}

Chromosome random_chromosome(const Pool& pool, std::mt19937_64& random) {
  Chromosome chromosome(pool.length);
  for (Gene& gene : chromosome)
    gene = static_cast<Gene>(below(pool.genes, random));
  return chromosome;
}

std::vector<Chromosome> first_chromosomes(const Pool& pool, std::size_t count,
                                          std::mt19937_64& random) {
  std::vector<Chromosome> chromosomes;
  for (const auto& seed : pool.seeds) {
    if (seed.empty() || chromosomes.size() == count)
      continue;
    auto& made = chromosomes.emplace_back(pool.length);
    for (std::size_t i = 0; i < made.size(); ++i)
      made[i] = seed[i % seed.size()];
  }
  while (chromosomes.size() < count)
    chromosomes.push_back(random_chromosome(pool, random));
  return chromosomes;
}

} // namespace dragnet::provoke
