// Synthetic systems whose change points are known: the controlled experiment of Mühlbauer, Apel and
// Siegmund (2020, section 4.1) as the authors' program draws it, and a harder one with noise,
// constraints and change points that cancel.
#pragma once

#include "analysis/variants/sampling.h"
#include "analysis/variants/score.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::variants {

/// What to draw. The defaults are those of the published experiment.
struct Synthesis {
  std::size_t options = 8;
  std::size_t commits = 1000;
  std::size_t change_points = 1;
  double p_interaction = 0.5;      ///< an interaction has one option more than this geometric draw
  double interaction_share = 0.25; ///< so many interactions for each option
  double lowest_influence = 0;     ///< the paper says -1, the authors' program has 0
  std::size_t most_interacting = 64;
  double noise = 0;         ///< relative standard deviation of a measurement
  bool constrained = false; ///< alternative groups, implications and exclusions
  double cancelling = 0;    ///< this share of change points is undone by a later one
};

/// A part of the run time that is there when all its options are on; the core has none.
struct Term {
  Configuration options;
  double influence = 0; ///< at the first commit
};

/// From this commit on, a term has another influence.
struct Event {
  std::size_t commit = 0;
  std::size_t term = 0;
  double before = 0;
  double after = 0;
};

/// A program that never was.
struct System {
  std::size_t commits = 0;
  double noise = 0;
  ConfigurationSpace space;
  std::vector<Term> terms;
  std::vector<Event> events; ///< by commit
};

/// The same for the same seed.
System synthesize(const Synthesis& wanted, std::uint64_t seed);

/// The true run time.
double performance(const System& system, const Configuration& configuration, std::size_t commit);

/// The change points, one association for each option of the term; visible where the smallest valid
/// configuration with the term changes by at least the threshold.
std::vector<TrueAssociation> truth(const System& system, double threshold);

/// Measures a synthetic system with its noise, and counts.
class SimulatedLab final : public VariantLab {
public:
  SimulatedLab(const System& system, std::uint64_t seed) : system_(system), random_(seed) {}

  Result<Cell> measure(const Configuration& configuration, std::size_t commit) override;
  bool repeats() const override { return true; }

  std::size_t measurements() const { return measurements_; }

private:
  const System& system_;
  Random random_;
  std::size_t measurements_ = 0;
};

} // namespace dragnet::variants
