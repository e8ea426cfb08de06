// Random chromosomes, the baseline that a search has to beat.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace dragnet::provoke {

class RandomInputs : public Strategy {
public:
  RandomInputs(Pool pool, std::uint64_t seed);
  std::vector<Chromosome> next() override;
  void observe(std::span<const Evaluation> evaluations) override;
  const std::vector<Individual>& population() const override { return population_; }

private:
  Pool pool_;
  std::mt19937_64 random_;
  std::vector<Chromosome> asked_;
  std::vector<Individual> population_;
};

} // namespace dragnet::provoke
