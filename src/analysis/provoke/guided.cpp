#include "analysis/provoke/guided.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/operators.h"
#include "analysis/provoke/ranked.h"
#include "analysis/provoke/strategy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::provoke {

Guided::Guided(Pool pool, const GuidedParameters& parameters, std::uint64_t seed)
    : pool_(std::move(pool)), parameters_(parameters), random_(seed),
      model_(pool_.genes, pool_.length) {}

std::vector<Chromosome> Guided::next() {
  asked_.clear();
  if (population_.empty())
    ask_first();
  else {
    ask_again();
    ask_offspring();
  }
  std::vector<Chromosome> chromosomes;
  chromosomes.reserve(asked_.size());
  for (const auto& request : asked_)
    chromosomes.push_back(request.chromosome);
  return chromosomes;
}

// Seeds, then chromosomes that together have each gene equally often: more is learned from them
// than from random ones.
void Guided::ask_first() {
  std::vector<Gene> genes(pool_.genes);
  std::ranges::copy(std::views::iota(Gene{0}, static_cast<Gene>(genes.size())), genes.begin());
  std::size_t next = genes.size();
  auto chromosomes = first_chromosomes(pool_, parameters_.batch, random_);
  const std::size_t seeds = begun_ ? 0 : std::min(pool_.seeds.size(), chromosomes.size());
  for (std::size_t i = seeds; i < chromosomes.size(); ++i)
    for (Gene& gene : chromosomes[i]) {
      if (next == genes.size()) {
        std::ranges::shuffle(genes, random_);
        next = 0;
      }
      gene = genes[next++];
    }
  for (auto& chromosome : chromosomes)
    asked_.push_back({.chromosome = std::move(chromosome)});
  begun_ = true;
}

// Racing: those among the best that are least certain.
void Guided::ask_again() {
  if (parameters_.noise == Noise::Exact)
    return;
  std::vector<const Individual*> racers;
  for (const auto& individual : population_)
    if (racers.size() < parameters_.racers)
      racers.push_back(&individual);
  std::erase_if(racers,
                [&](const Individual* each) { return each->score.runs >= parameters_.most_runs; });
  std::ranges::stable_sort(racers, [](const Individual* a, const Individual* b) {
    return a->score.runs < b->score.runs;
  });
  for (const auto* racer : racers)
    if (asked_.size() < parameters_.batch / 3)
      asked_.push_back({.chromosome = racer->chromosome, .again = true});
}

void Guided::ask_offspring() {
  while (asked_.size() < parameters_.batch) {
    auto made = offspring();
    // What is known already teaches nothing; but a small pool may have nothing else.
    for (int tries = 0; tries < 10 && known_.contains(made.chromosome); ++tries)
      made = offspring();
    known_.insert(made.chromosome);
    asked_.push_back(std::move(made));
  }
}

// The fittest of three.
const Individual& Guided::parent() {
  std::size_t best = population_.size();
  for (int i = 0; i < 3; ++i)
    best = std::min(best, below(population_.size(), random_));
  return population_[best];
}

Guided::Request Guided::offspring() {
  const auto& first = parent();
  const auto& second = parent();
  const Operator what = choice_.choose(random_);
  const bool novel = !novelty_.empty() && happens(parameters_.from_novelty, random_);
  const Chromosome& other = novel ? novelty_.choose(random_) : second.chromosome;
  const bool swapped = novel && happens(0.5, random_);
  const Parents parents{.first = swapped ? other : first.chromosome,
                        .second = swapped ? first.chromosome : other};
  return {.chromosome = apply(what, parents, model_, random_),
          .made_by = what,
          .parents_mean = first.score.mean};
}

void Guided::observe_again(const Chromosome& chromosome, double fitness) {
  for (auto& individual : population_)
    if (individual.chromosome == chromosome) {
      squares_ -= individual.score.squares;
      individual.score.add(fitness);
      squares_ += individual.score.squares;
      ++freedom_;
    }
}

void Guided::observe_new(const Request& request, const Evaluation& evaluation) {
  Individual individual{request.chromosome, {}};
  individual.score.add(evaluation.fitness);
  model_.add(request.chromosome, evaluation.fitness);
  choice_.observe(request.made_by, evaluation.fitness > request.parents_mean);
  novelty_.add(individual, evaluation.traits);
  population_.push_back(std::move(individual));
}

double Guided::noise_spread() const {
  return freedom_ == 0 ? 0 : std::sqrt(std::max(0.0, squares_) / static_cast<double>(freedom_));
}

void Guided::observe(std::span<const Evaluation> evaluations) {
  for (std::size_t i = 0; i < evaluations.size() && i < asked_.size(); ++i) {
    if (evaluations[i].ending != Ending::Compared)
      continue;
    if (asked_[i].again)
      observe_again(asked_[i].chromosome, evaluations[i].fitness);
    else
      observe_new(asked_[i], evaluations[i]);
  }
  model_.learn();
  // A single lucky run is not taken for a good individual.
  const double spread = noise_spread();
  keep_best(population_, parameters_.individuals, [&](const Individual& each) {
    return each.score.mean - (spread / std::sqrt(static_cast<double>(each.score.runs)));
  });
}

} // namespace dragnet::provoke
