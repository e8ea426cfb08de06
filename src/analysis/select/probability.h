// The probability that a commit changed the performance of a benchmark, learned from examples.
// Two monotone learners each give log odds; their weighted mean is calibrated on examples that they
// were not trained on (Platt 1999), and the same scores decide from which probability on a
// benchmark is run.
#pragma once

#include "analysis/select/example.h"
#include "analysis/select/features.h"
#include "stats/monotone.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dragnet::select {

/// The log odds of a hit by two learners of scaled features.
struct LearnedOdds {
  stats::Logistic logistic;
  stats::Stumps stumps;
  double stumps_weight = 0; ///< in the mean of the two

  double of(const Features& features) const;
};

struct ProbabilityPredictor {
  LearnedOdds odds;
  double slope = 1; ///< of the calibration, a line from these log odds to better ones
  double offset = 0;
  Features largest{};   ///< each feature's largest value in training
  double run_from = 0;  ///< the probability from which a benchmark is run
  double unreached = 0; ///< the rate of hits in training where nothing executed changed
  std::size_t hits = 0; ///< in training, where something executed changed
  std::size_t dismissed = 0;
  double hit_rate = 0; ///< on held-out folds of the training, at run_from
  double dismiss_rate = 0;
  bool trained = false;
};

/// What training aims at.
struct Aim {
  double hit_rate = 0.95; ///< of hits to come, where something executed changed
  std::size_t folds = 5;
  std::uint64_t seed = 1;
};

/// How many hits a predictor needs at least, from at least two commits, to be trained.
constexpr std::size_t fewest_hits = 5;

/// A predictor of the examples whose truth is known; untrained if there are too few.
ProbabilityPredictor learn_probability(const Examples& examples, const Aim& aim);

/// That this benchmark changed, from 0 to 1. An untrained predictor gives a rough guess from the
/// edited share, which nothing was calibrated on.
double probability(const ProbabilityPredictor& predictor, const Features& features);

/// A feature that is more than twice as large as ever in training, or that never was there at all:
/// a trained predictor has not learned that such a change is harmless. Nothing if there is none.
std::optional<Feature> beyond_training(const ProbabilityPredictor& predictor,
                                       const Features& features);

/// Whether it must run: its probability is high enough, or it is beyond what was learned. An
/// untrained predictor runs whatever executes something that changed.
bool must_run(const ProbabilityPredictor& predictor, const Features& features);

} // namespace dragnet::select
