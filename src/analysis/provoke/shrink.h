// Makes a chromosome as short as it can be while its effect remains: delta debugging (Zeller and
// Hildebrandt 2002), where a test is repeated until it is decided, because measurements are noisy.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"
#include "base/result.h"

#include <cstddef>
#include <functional>
#include <optional>

namespace dragnet::provoke {

/// One measurement of the effect of a chromosome; nothing where both versions cannot be compared.
using Measure = std::function<Result<std::optional<double>>(const Chromosome& chromosome)>;

struct ShrinkRule {
  double least = 0; ///< the effect that has to remain
  Noise noise = Noise::Noisy;
  double errors = 3.5; ///< of the mean, that it must be away from `least`
  std::size_t least_runs = 5;
  std::size_t most_runs = 20; ///< of a test; undecided by then, the effect counts as lost
};

struct Shrunk {
  Chromosome chromosome;
  Score effect;           ///< from runs that were made when it was found, not to find it
  bool confirmed = false; ///< whether those showed the effect
  std::size_t tests = 0;  ///< chromosomes that were tried
  std::size_t runs = 0;
};

/// No single gene of the result can be left out, as far as tests can tell. An empty chromosome is
/// not tried. Where even the whole one does not show the effect, it comes back unconfirmed.
Result<Shrunk> shrink(const Chromosome& chromosome, const Measure& measure, const ShrinkRule& rule);

} // namespace dragnet::provoke
