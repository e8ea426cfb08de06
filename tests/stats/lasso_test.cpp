#include "stats/lasso.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace dragnet::stats {
namespace {

struct Data {
  std::vector<FeatureSums> features;
  std::vector<ResponseSums> responses;
};

// y = 2 + 3 x0 - 2 x3 + noise, ten features of 0 or 1.
Data sample(double noise) {
  Data data{std::vector<FeatureSums>(3, FeatureSums(10)),
            std::vector<ResponseSums>(3, ResponseSums(10))};
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < 300; ++i) {
    std::array<double, 10> x{};
    for (double& each : x)
      each = static_cast<double>(random() >> 40 & 1U);
    data.features[i % 3].add(x);
    data.responses[i % 3].add(x, 2 + (3 * x[0]) - (2 * x[3]) + (noise * normal(random)));
  }
  return data;
}

TEST(Lasso, finds_the_few_coefficients_that_matter) {
  const Data data = sample(0.3);
  const LinearModel model = lasso_by_folds(data.features, data.responses, {});
  EXPECT_NEAR(model.coefficients[0], 3, 0.15);
  EXPECT_NEAR(model.coefficients[3], -2, 0.15);
  EXPECT_NEAR(model.intercept, 2, 0.2);
  for (const std::size_t other : {1U, 2U, 4U, 5U, 6U, 7U, 8U, 9U})
    EXPECT_NEAR(model.coefficients[other], 0, 0.1);
}

TEST(Lasso, keeps_coefficients_from_being_negative_when_asked) {
  const Data data = sample(0.1);
  LassoRule rule;
  rule.sign = Sign::NotNegative;
  const LinearModel model = lasso_by_folds(data.features, data.responses, rule);
  EXPECT_GT(model.coefficients[0], 2);
  EXPECT_EQ(model.coefficients[3], 0);
}

// One standardised feature: the solution is the covariance less the penalty, by hand.
TEST(Lasso, shrinks_one_coefficient_by_the_penalty) {
  FeatureSums features(1);
  ResponseSums responses(1);
  for (const double x : {-1.0, 1.0}) {
    features.add(std::array{x});
    responses.add(std::array{x}, 5 * x);
  }
  EXPECT_NEAR(lasso(features, responses, 1.5, Sign::Any, {}).coefficients[0], 3.5, 1e-9);
  EXPECT_EQ(lasso(features, responses, 6, Sign::Any, {}).coefficients[0], 0);
}

} // namespace
} // namespace dragnet::stats
