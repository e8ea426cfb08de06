#include "stats/classic.h"
#include "stats/distributions.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace dragnet::stats {
namespace {

TEST(Distributions, know_the_normal_tables) {
  EXPECT_NEAR(normal_cdf(0), 0.5, 1e-15);
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-14);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-12);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
}

TEST(Distributions, know_the_tables_of_student) {
  EXPECT_NEAR(student_cdf(1, 1), 0.75, 1e-12); // Cauchy: 1/2 + atan(1) / pi
  EXPECT_NEAR(student_cdf(2.2281388519649385, 10), 0.975, 1e-10);
  EXPECT_NEAR(student_cdf(-2.570581835636314, 5), 0.025, 1e-10);
  EXPECT_NEAR(student_cdf(0, 3), 0.5, 1e-15);
}

TEST(Distributions, agree_with_polynomials_for_whole_beta_parameters) {
  // I_x(2, 3) = 6 x^2 - 8 x^3 + 3 x^4
  for (const double x : {0.0, 0.1, 0.5, 0.9, 1.0})
    EXPECT_NEAR(incomplete_beta(x, 2, 3), x * x * (6 - 8 * x + 3 * x * x), 1e-14);
}

// Three samples of the example in Rosetta Code, "Welch's t-test", and its p-values.
TEST(Welch, agrees_with_published_values) {
  const std::vector<double> a = {27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                                 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
  const std::vector<double> b = {27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                                 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4};
  EXPECT_NEAR(welch(a, b).p_value, 0.021378001462867, 1e-12);
  const std::vector<double> c = {3.0, 4.0, 1.0, 2.1};
  const std::vector<double> d = {490.2, 340.0, 433.9};
  EXPECT_NEAR(welch(c, d).p_value, 0.010751561149785, 1e-12);
}

TEST(Welch, changes_its_sign_and_nothing_else_when_the_samples_are_swapped) {
  const std::vector<double> a = {1, 2, 4};
  const std::vector<double> b = {3, 5, 8, 9};
  EXPECT_EQ(welch(a, b).statistic, -welch(b, a).statistic);
  EXPECT_EQ(welch(a, b).p_value, welch(b, a).p_value);
}

TEST(Welch, is_defined_where_nothing_varies) {
  const std::vector<double> ones = {1, 1, 1};
  const std::vector<double> twos = {2, 2, 2};
  EXPECT_EQ(welch(ones, ones).p_value, 1);
  EXPECT_EQ(welch(ones, twos).p_value, 0);
  EXPECT_EQ(welch(std::vector<double>{1}, twos).p_value, 1);
}

// Hollander and Wolfe (1973), page 69, the example in R's wilcox.test: W = 35, one-sided 0.1272.
TEST(MannWhitney, agrees_with_the_textbook_without_ties) {
  const std::vector<double> a = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const std::vector<double> b = {1.15, 0.88, 0.90, 0.74, 1.21};
  const TestResult result = mann_whitney(a, b);
  EXPECT_EQ(result.statistic, 35);
  EXPECT_NEAR(result.p_value, 2 * 0.1272, 1e-4);
}

TEST(MannWhitney, counts_all_orders_of_small_samples) {
  // Of the 20 orders of 3 and 3, one is as extreme on either side.
  EXPECT_NEAR(mann_whitney(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}).p_value, 0.1,
              1e-15);
  // U = 1 of 2 and 3: 2 of 10 orders are as extreme on either side.
  EXPECT_NEAR(mann_whitney(std::vector<double>{1, 3}, std::vector<double>{2, 4, 5}).p_value, 0.4,
              1e-15);
}

TEST(MannWhitney, shares_ranks_between_ties) {
  const std::vector<double> a = {1, 2, 2, 3};
  const std::vector<double> b = {2, 3, 4, 5};
  const TestResult result = mann_whitney(a, b);
  EXPECT_EQ(result.statistic, 2.5);
  // By hand: variance 16/12 * (9 - 30/56) = 79/7, distance 8 - 2.5 - 0.5.
  EXPECT_NEAR(result.p_value, 2 * normal_cdf(-5 / std::sqrt(79.0 / 7)), 1e-12);
  EXPECT_EQ(mann_whitney(b, a).p_value, result.p_value);
}

TEST(MannWhitney, says_nothing_where_all_is_equal_or_absent) {
  const std::vector<double> same = {7, 7, 7};
  EXPECT_EQ(mann_whitney(same, same).p_value, 1);
  EXPECT_EQ(mann_whitney(same, {}).p_value, 1);
}

} // namespace
} // namespace dragnet::stats
