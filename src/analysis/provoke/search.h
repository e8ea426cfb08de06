// Drives a strategy: has its chromosomes evaluated, within a budget, and gathers what was found.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"
#include "base/result.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace dragnet::provoke {

/// Runs both versions on each chromosome; one answer for each.
using Evaluate =
    std::function<Result<std::vector<Evaluation>>(std::span<const Chromosome> chromosomes)>;

/// The population after a generation.
struct Generation {
  std::size_t evaluations = 0; ///< since the beginning
  double best = 0;
  double mean = 0;
  double worst = 0;
};

/// A chromosome that could not be compared: it was rejected, crashed or hung.
struct Finding {
  Chromosome chromosome;
  Ending ending = Ending::Crashed;
  Version version = Version::Both;
};

struct Outcome {
  std::vector<Individual> best; ///< the last population, the fittest first
  std::vector<Generation> generations;
  std::vector<Finding> findings; ///< the first of each ending and version come first
  std::size_t compared = 0;
  std::size_t not_compared = 0;
  std::size_t evaluations = 0;
};

/// Goes on until the strategy ends or so many evaluations are made. Fails when an evaluation does,
/// or when none of the first `patience` evaluations could be compared.
Result<Outcome> search(Strategy& strategy, const Evaluate& evaluate, std::size_t budget,
                       std::size_t patience = 300);

} // namespace dragnet::provoke
