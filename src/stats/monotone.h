// Two small learners of the log odds of an event from features, both monotone: more of a feature
// never lowers the odds. Where events are few, that is the strongest help there is against learning
// accidents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::stats {

/// Cases to learn from, among them some where the event happened and some where it did not.
struct LabelledCases {
  std::size_t features = 0;           ///< of each case, at least one
  std::vector<double> values;         ///< case by case
  std::vector<std::uint8_t> happened; ///< 1 or 0 for each case

  std::span<const double> of(std::size_t row) const {
    return std::span(values).subspan(row * features, features);
  }
};

/// Logistic regression with weights that are not negative, kept small by a normal prior.
struct Logistic {
  double intercept = 0;
  std::vector<double> weights;

  double log_odds(std::span<const double> features) const;
};

/// Adds its step to the log odds where a feature is above a value.
struct Stump {
  std::size_t feature = 0;
  double above = 0;
  double step = 0; ///< not negative
};

/// A sum of stumps: a step function of each feature, added up.
struct Stumps {
  double intercept = 0;
  std::vector<Stump> stumps;

  double log_odds(std::span<const double> features) const;
};

/// By iteratively reweighted least squares, each step solved by coordinate descent within the
/// bounds. A feature's weight is expected to be within about one unit per standard deviation.
Logistic learn_logistic(const LabelledCases& cases);

/// By boosting with second-order steps (Friedman 2001; Chen and Guestrin 2016, section 2.2), in
/// which only rising stumps are admitted.
Stumps learn_stumps(const LabelledCases& cases);

} // namespace dragnet::stats
