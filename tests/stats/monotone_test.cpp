#include "stats/monotone.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace dragnet::stats {
namespace {

constexpr std::size_t features = 4;

// The first feature raises the odds, the second lowers them, the others say nothing.
LabelledCases planted(std::size_t rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  LabelledCases cases{.features = features, .values = {}, .happened = {}};
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> values(features);
    for (double& value : values)
      value = uniform(random);
    const double odds = -3 + (5 * values[0]) - (2 * values[1]);
    cases.values.insert(cases.values.end(), values.begin(), values.end());
    cases.happened.push_back(uniform(random) < 1 / (1 + std::exp(-odds)) ? 1 : 0);
  }
  return cases;
}

// The share of pairs of an event and another case that are in the right order.
template <class Model>
double ranking(const Model& model, const LabelledCases& cases) {
  double right = 0;
  double all = 0;
  for (std::size_t a = 0; a < cases.happened.size(); ++a)
    for (std::size_t b = 0; b < cases.happened.size(); ++b)
      if (cases.happened[a] > cases.happened[b]) {
        const double difference = model.log_odds(cases.of(a)) - model.log_odds(cases.of(b));
        right += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
        all += 1;
      }
  return right / all;
}

TEST(Logistic, finds_the_planted_weight_and_admits_no_negative_one) {
  const Logistic model = learn_logistic(planted(5000, 1));
  EXPECT_NEAR(model.weights[0], 5, 0.6);
  EXPECT_EQ(model.weights[1], 0);
  EXPECT_LT(model.weights[2], 0.5);
}

// Without bounds in play, the sum of errors weighted by each feature is what the prior pulls with.
TEST(Logistic, is_at_the_optimum) {
  const LabelledCases cases = planted(800, 2);
  const Logistic model = learn_logistic(cases);
  double error = 0;
  for (std::size_t row = 0; row < cases.happened.size(); ++row)
    error += cases.happened[row] - (1 / (1 + std::exp(-model.log_odds(cases.of(row)))));
  EXPECT_NEAR(error, 0, 1e-2);
}

TEST(Logistic, stays_finite_where_one_feature_separates_all) {
  LabelledCases cases{.features = 2, .values = {}, .happened = {}};
  for (int row = 0; row < 40; ++row) {
    cases.values.push_back(row);
    cases.values.push_back(0);
    cases.happened.push_back(row >= 20 ? 1 : 0);
  }
  const Logistic model = learn_logistic(cases);
  EXPECT_TRUE(std::isfinite(model.intercept) && std::isfinite(model.weights[0]));
  EXPECT_EQ(model.weights[1], 0);
  EXPECT_LT(model.log_odds(cases.of(0)), 0);
  EXPECT_GT(model.log_odds(cases.of(39)), 0);
}

TEST(Stumps, never_lower_the_odds_for_more_of_a_feature) {
  const Stumps model = learn_stumps(planted(600, 3));
  EXPECT_FALSE(model.stumps.empty());
  EXPECT_TRUE(std::ranges::all_of(model.stumps, [](const Stump& stump) { return stump.step > 0; }));
}

TEST(Stumps, of_cases_that_are_all_alike_are_none) {
  const LabelledCases cases{.features = 1, .values = {1, 1, 1, 1}, .happened = {0, 1, 0, 1}};
  EXPECT_TRUE(learn_stumps(cases).stumps.empty());
}

TEST(MonotoneLearners, rank_cases_that_they_have_not_seen) {
  double logistic = 0;
  double stumps = 0;
  constexpr std::size_t seeds = 10;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const LabelledCases training = planted(600, 100 + seed);
    const LabelledCases tested = planted(300, 200 + seed);
    logistic += ranking(learn_logistic(training), tested) / seeds;
    stumps += ranking(learn_stumps(training), tested) / seeds;
  }
  EXPECT_GT(logistic, 0.78);
  EXPECT_GT(stumps, 0.78);
}

} // namespace
} // namespace dragnet::stats
