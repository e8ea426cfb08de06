// Our search: a genetic one with operators for sequences that are used as they prove themselves,
// genes drawn by what they were seen to add, individuals kept for what only they execute, and
// repetitions only for those that could be among the best. docs/analyses/provoke.md.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/gene_model.h"
#include "analysis/provoke/novelty.h"
#include "analysis/provoke/operators.h"
#include "analysis/provoke/strategy.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace dragnet::provoke {

struct GuidedParameters {
  Noise noise = Noise::Exact;
  std::size_t individuals = 30;
  std::size_t batch = 30;    ///< evaluations of a generation
  double from_novelty = 0.1; ///< the probability that a parent is one with a rare trait
  std::size_t racers = 10;   ///< of the best, those that are repeated where runs are noisy
  std::size_t most_runs = 10;
};

class Guided : public Strategy {
public:
  Guided(Pool pool, const GuidedParameters& parameters, std::uint64_t seed);
  /// Never ends by itself.
  std::vector<Chromosome> next() override;
  void observe(std::span<const Evaluation> evaluations) override;
  const std::vector<Individual>& population() const override { return population_; }

  /// What was learned about genes.
  const GeneModel& model() const { return model_; }

private:
  struct Request {
    Chromosome chromosome;
    bool again = false; // a repetition
    Operator made_by = Operator::Draw;
    double parents_mean = 0;
  };

  void ask_first();
  void ask_again();
  void ask_offspring();
  const Individual& parent();
  Request offspring();
  void observe_again(const Chromosome& chromosome, double fitness);
  void observe_new(const Request& request, const Evaluation& evaluation);
  double noise_spread() const;

  Pool pool_;
  GuidedParameters parameters_;
  std::mt19937_64 random_;
  std::vector<Request> asked_;
  std::vector<Individual> population_;
  std::set<Chromosome> known_;
  GeneModel model_;
  OperatorChoice choice_;
  Novelty novelty_;
  bool begun_ = false;
  double squares_ = 0; // of repetitions around their means, and how many they are free to vary in
  std::size_t freedom_ = 0;
};

} // namespace dragnet::provoke
