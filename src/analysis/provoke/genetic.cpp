#include "analysis/provoke/genetic.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/ranked.h"
#include "analysis/provoke/strategy.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::provoke {

Genetic::Genetic(Pool pool, const GeneticParameters& parameters, std::uint64_t seed)
    : pool_(std::move(pool)), parameters_(parameters), random_(seed) {}

bool Genetic::has_ended() const {
  return generation_ > parameters_.generations || without_rise_ >= parameters_.patience;
}

std::vector<Chromosome> Genetic::next() {
  asked_.clear();
  if (has_ended())
    return {};
  // Rejected individuals are replaced by others that nothing is known of.
  const std::size_t missing = parameters_.individuals - population_.size();
  if (generation_ == 0)
    asked_ = first_chromosomes(pool_, missing, random_);
  else
    asked_ = offspring();
  for (std::size_t i = 0; generation_ > 0 && i < missing; ++i)
    asked_.push_back(random_chromosome(pool_, random_));
  return asked_;
}

std::vector<Chromosome> Genetic::offspring() {
  std::vector<Chromosome> made;
  if (population_.empty())
    return made;
  const auto crossings = static_cast<std::size_t>(
      std::lround(parameters_.crossover * static_cast<double>(population_.size())));
  for (std::size_t i = 0; i < crossings; ++i)
    add_children(made);
  for (const auto& individual : population_)
    add_mutant(made, individual.chromosome);
  return made;
}

// Both children of two parents that are cut at one point.
void Genetic::add_children(std::vector<Chromosome>& offspring) {
  auto first = population_[below(population_.size(), random_)].chromosome;
  auto second = population_[below(population_.size(), random_)].chromosome;
  const std::size_t cut = below(pool_.length, random_);
  for (std::size_t i = cut; i < pool_.length; ++i)
    std::swap(first[i], second[i]);
  offspring.push_back(std::move(first));
  offspring.push_back(std::move(second));
}

void Genetic::add_mutant(std::vector<Chromosome>& offspring, const Chromosome& original) {
  auto mutant = original;
  for (Gene& gene : mutant)
    if (happens(parameters_.mutation, random_))
      gene = static_cast<Gene>(below(pool_.genes, random_));
  if (mutant != original)
    offspring.push_back(std::move(mutant));
}

void Genetic::observe(std::span<const Evaluation> evaluations) {
  for (std::size_t i = 0; i < evaluations.size() && i < asked_.size(); ++i)
    if (evaluations[i].ending == Ending::Compared) {
      population_.push_back({asked_[i], {}});
      population_.back().score.add(evaluations[i].fitness);
    }
  keep_fittest(population_, parameters_.individuals);
  note_mean();
  ++generation_;
}

void Genetic::note_mean() {
  double sum = 0;
  for (const auto& individual : population_)
    sum += individual.score.mean;
  const double mean = population_.empty() ? 0 : sum / static_cast<double>(population_.size());
  if (generation_ > 0) {
    const bool rises = mean - mean_ > parameters_.least_rise * std::abs(mean_);
    without_rise_ = rises ? 0 : without_rise_ + 1;
  }
  mean_ = mean;
}

} // namespace dragnet::provoke
