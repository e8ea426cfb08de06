// Linear regression that sets most coefficients to zero (Tibshirani 1996), on sums over the cases
// rather than on the cases, so that many responses to the same cases cost little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::stats {

/// Sums over cases of their features.
struct FeatureSums {
  double cases = 0;
  std::vector<double> x;  ///< each feature
  std::vector<double> xx; ///< each product of two, row by row

  explicit FeatureSums(std::size_t features = 0) : x(features, 0), xx(features * features, 0) {}
  void add(std::span<const double> features);
};

/// Sums over the same cases with their response.
struct ResponseSums {
  double y = 0;
  double yy = 0;
  std::vector<double> xy;

  explicit ResponseSums(std::size_t features = 0) : xy(features, 0) {}
  void add(std::span<const double> features, double response);
};

enum class Sign : std::uint8_t { Any, NotNegative };

struct LassoRule {
  std::size_t penalties = 30; ///< tried, evenly spaced in logarithm
  double smallest = 1e-3;     ///< penalty, as a part of the largest that matters
  Sign sign = Sign::Any;
};

struct LinearModel {
  double intercept = 0;
  std::vector<double> coefficients;
};

/// Minimises the mean squared error / 2 + penalty * the sum of absolute coefficients, by coordinate
/// descent. Begins from the coefficients given.
LinearModel lasso(const FeatureSums& features, const ResponseSums& responses, double penalty,
                  Sign sign, std::vector<double> start);

/// The penalty that predicts each fold best from the others, refitted on all.
LinearModel lasso_by_folds(std::span<const FeatureSums> features,
                           std::span<const ResponseSums> responses, const LassoRule& rule);

} // namespace dragnet::stats
