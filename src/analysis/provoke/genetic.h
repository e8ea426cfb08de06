// The genetic search as published: Luo, Poshyvanyk and Grechanik 2016, section 3.2, algorithm 1,
// with the parameters of section 4.3. Where the paper leaves a choice, it is that of JGAP, which
// its authors used: children and mutants join the population, and the best of all are selected.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace dragnet::provoke {

struct GeneticParameters {
  std::size_t individuals = 30;
  double crossover = 0.3; ///< pairs that are crossed, as a share of the individuals
  double mutation = 0.1;  ///< the probability of each gene
  std::size_t generations = 30;
  double least_rise = 0.03;  ///< of the mean fitness: what is no more than this is no rise
  std::size_t patience = 10; ///< generations in succession without a rise
};

class Genetic : public Strategy {
public:
  Genetic(Pool pool, const GeneticParameters& parameters, std::uint64_t seed);
  std::vector<Chromosome> next() override;
  void observe(std::span<const Evaluation> evaluations) override;
  const std::vector<Individual>& population() const override { return population_; }

private:
  std::vector<Chromosome> offspring();
  void add_children(std::vector<Chromosome>& offspring);
  void add_mutant(std::vector<Chromosome>& offspring, const Chromosome& original);
  void note_mean();
  bool has_ended() const;

  Pool pool_;
  GeneticParameters parameters_;
  std::mt19937_64 random_;
  std::vector<Chromosome> asked_;
  std::vector<Individual> population_;
  std::size_t generation_ = 0; // of these, how many were observed
  double mean_ = 0;
  std::size_t without_rise_ = 0;
};

} // namespace dragnet::provoke
