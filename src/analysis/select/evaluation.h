// How good predictors are: the whole evaluation of Oliveira et al. (2017, section IV), for any way
// to train. Hit rate: hits that are predicted, of all hits. Dismiss rate: pairs without a change
// that are dismissed, of all such pairs.
#pragma once

#include "analysis/select/example.h"
#include "stats/interval.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dragnet::select {

/// Whether a benchmark would be run.
using Predict = std::function<bool(const Example&)>;

/// Learns from examples, which need not outlive it.
using Train = std::function<Predict(const Examples&)>;

/// A way to train, with the name that tables give it.
struct Trainer {
  std::string name;
  Train train;
};

/// A rate over cases that were each looked at once per repetition.
struct Rate {
  std::size_t good = 0;
  std::size_t cases = 0;
  std::size_t repetitions = 1;

  /// Not a number without cases.
  double value() const;

  /// Wilson's interval at 95 %, for the cases of one repetition: repeating a division into folds
  /// adds no cases. It takes them as independent, which benchmarks of one commit are not quite.
  stats::Interval interval() const;
};

struct Score {
  Rate hit;
  Rate dismiss;
};

enum class Tested : std::uint8_t { AllPairs, ParentsOnly };

struct Division {
  std::size_t folds = 10;
  std::size_t repetitions = 5; ///< each with another division
  std::uint64_t seed = 1;
  Tested tested = Tested::AllPairs;
};

/// What a predictor says of examples, against their truth.
Score score_of(const Predict& predict, const Examples& tested);

/// Trained and tested on the same examples.
Score full(const Train& train, const Examples& examples);

/// K-fold: each commit is tested by a predictor that did not see it.
Score cross_validated(const Train& train, const Examples& examples, const Division& division);

struct SizeScore {
  std::size_t folds = 0;
  double training_commits = 0; ///< mean number
  Score score;
};

/// The score for each number of folds from 2 to 10: the more folds, the larger the training set.
std::vector<SizeScore> by_training_size(const Train& train, const Examples& examples,
                                        const Division& division);

struct HopScore {
  std::size_t hops = 0;
  Score score;
};

/// Trained on the pairs of a commit and its parent in the oldest quarter of each history, tested on
/// pairs that lie after it, by distance. The paper starts all from the last training commit; here
/// every later commit may be the start, because that gives more pairs per distance.
std::vector<HopScore> by_hops(const Train& train, const Examples& examples);

struct CrossScore {
  std::string trained_on;
  std::string tested_on;
  Score score;
};

/// Trained on one program, tested on another, for each two.
std::vector<CrossScore> across_subjects(const Train& train, const Examples& examples);

/// The examples that keep a condition.
Examples where(const Examples& examples, const std::function<bool(const Example&)>& keeps);

/// Pointers to all examples.
Examples all_of(const std::vector<Example>& examples);

} // namespace dragnet::select
