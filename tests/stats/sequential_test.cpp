#include "stats/sequential.h"

#include "stats/interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <span>
#include <vector>

namespace dragnet::stats {
namespace {

constexpr double guess = 0.02;

std::vector<double> normal_series(std::size_t size, double centre, double spread,
                                  std::mt19937_64& random) {
  std::normal_distribution<double> noise(centre, spread);
  std::vector<double> series(size);
  for (double& difference : series)
    difference = noise(random);
  return series;
}

// The mean wealth over all ways to choose the signs of distances from a centre.
double mean_wealth_over_signs(const std::vector<double>& distances, double centre, Side side) {
  const std::size_t patterns = std::size_t{1} << distances.size();
  double sum = 0;
  for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
    std::vector<double> series;
    series.reserve(distances.size());
    for (std::size_t i = 0; i < distances.size(); ++i)
      series.push_back(centre + ((pattern >> i & 1U) != 0 ? distances[i] : -distances[i]));
    sum += SequentialTest(series, guess).wealth(centre, side);
  }
  return sum / static_cast<double>(patterns);
}

TEST(Sequential, expects_to_gain_nothing_whatever_the_distances_are) {
  const std::vector<double> distances = {0.01, 0.2, 0, 0.013, 5, 0.0001, 0.04, 0.04, 1e-9, 0.3};
  for (std::size_t size = 1; size <= distances.size(); ++size) {
    const auto end = distances.begin() + static_cast<std::ptrdiff_t>(size);
    const std::vector<double> some(distances.begin(), end);
    EXPECT_NEAR(mean_wealth_over_signs(some, 0, Side::Above), 1, 1e-12);
    EXPECT_NEAR(mean_wealth_over_signs(some, 0, Side::Below), 1, 1e-12);
    EXPECT_NEAR(mean_wealth_over_signs(some, 0.02, Side::Above), 1, 1e-12);
  }
}

TEST(Sequential, knows_nothing_without_differences) {
  const SequentialTest test({}, guess);
  EXPECT_EQ(test.p_value(0), 1);
  EXPECT_EQ(test.peak_wealth(0, Side::Above), 1);
  const Interval interval = test.confidence_interval(0.05, {.low = -3, .high = 4});
  EXPECT_EQ(interval.low, -3);
  EXPECT_EQ(interval.high, 4);
}

TEST(Sequential, learns_nothing_from_ties) {
  const std::vector<double> ties(50, 0.0);
  EXPECT_EQ(SequentialTest(ties, guess).p_value(0), 1);
}

TEST(Sequential, bounds_the_centre_of_ties_on_both_sides) {
  const std::vector<double> ties(6, 0.0);
  const SequentialTest test(ties, guess);
  EXPECT_GE(test.peak_wealth(guess, Side::Below), 20);
  EXPECT_GE(test.peak_wealth(-guess, Side::Above), 20);
}

TEST(Sequential, rejects_a_huge_effect_at_one_percent_within_nine_pairs) {
  const std::vector<double> series = {0.41, 0.39, 0.42, 0.4, 0.38, 0.4, 0.43, 0.37, 0.4};
  EXPECT_LE(SequentialTest(series, guess).p_value(0), 0.01);
}

TEST(Sequential, cannot_be_surer_than_the_number_of_signs_allows) {
  const std::vector<double> series(7, 0.5);
  EXPECT_GE(SequentialTest(series, guess).p_value(0), std::pow(2.0, -6));
}

// Each series is looked at after each of 200 pairs. 3000 series and a rate of 5 % have a standard
// error of 0.4 %; the tolerance is three of them.
TEST(Sequential, rejects_the_true_centre_rarely_although_it_always_looks) {
  std::mt19937_64 random(1);
  std::cauchy_distribution<double> wild(0, 0.01);
  int rejected_normal = 0;
  int rejected_wild = 0;
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    const auto series = normal_series(200, 0.01, 0.03, random);
    rejected_normal += SequentialTest(series, guess).p_value(0.01) <= 0.05 ? 1 : 0;
    std::vector<double> other(200);
    for (double& difference : other)
      difference = wild(random);
    rejected_wild += SequentialTest(other, guess).p_value(0) <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(rejected_normal, rounds * 0.062);
  EXPECT_LE(rejected_wild, rounds * 0.062);
}

// 300 series; a rate of 95 % has a standard error of 1.3 %.
TEST(Sequential, finds_five_percent_in_three_percent_noise_within_sixty_pairs) {
  std::mt19937_64 random(2);
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    const auto series = normal_series(60, std::log(1.05), 0.03 * std::numbers::sqrt2, random);
    found += SequentialTest(series, guess).p_value(0) <= 0.01 ? 1 : 0;
  }
  EXPECT_GE(found, 285);
}

TEST(Sequential, covers_the_centre_at_its_confidence) {
  std::mt19937_64 random(3);
  int covered = 0;
  for (int round = 0; round < 300; ++round) {
    const auto series = normal_series(40, 0.05, 0.04, random);
    const Interval interval =
        SequentialTest(series, guess).confidence_interval(0.05, {.low = -10, .high = 10});
    covered += interval.low <= 0.05 && 0.05 <= interval.high ? 1 : 0;
    EXPECT_LT(interval.high - interval.low, 0.2);
  }
  EXPECT_GE(covered, 274); // 95 % less three standard errors
}

TEST(Sequential, has_ends_at_which_it_just_rejects) {
  std::mt19937_64 random(4);
  const auto series = normal_series(50, 0.03, 0.04, random);
  const SequentialTest test(series, guess);
  const Interval interval = test.confidence_interval(0.1, {.low = -10, .high = 10});
  EXPECT_GE(test.peak_wealth(interval.low - 1e-6, Side::Above), 20);
  EXPECT_LT(test.peak_wealth(interval.low + 1e-6, Side::Above), 20);
  EXPECT_GE(test.peak_wealth(interval.high + 1e-6, Side::Below), 20);
  EXPECT_LT(test.peak_wealth(interval.high - 1e-6, Side::Below), 20);
}

TEST(Sequential, falls_in_wealth_as_the_centre_rises) {
  std::mt19937_64 random(5);
  const auto series = normal_series(80, 0, 0.04, random);
  const SequentialTest test(series, guess);
  double before = test.peak_wealth(-0.1, Side::Above);
  for (int step = -99; step < 100; ++step) {
    const double now = test.peak_wealth(step / 1000.0, Side::Above);
    EXPECT_LE(now, before);
    before = now;
  }
}

TEST(Sequential, never_takes_back_what_it_knows_when_pairs_are_added) {
  std::mt19937_64 random(6);
  const auto series = normal_series(60, 0.02, 0.04, random);
  double before = 1;
  for (std::size_t size = 1; size <= series.size(); ++size) {
    const double now = SequentialTest(std::span(series).first(size), guess).p_value(0);
    EXPECT_LE(now, before);
    before = now;
  }
}

TEST(Sequential, does_not_depend_on_the_unit) {
  std::mt19937_64 random(7);
  auto series = normal_series(40, 0.03, 0.04, random);
  const double p = SequentialTest(series, guess).p_value(0);
  for (double& difference : series)
    difference *= 1024;
  EXPECT_NEAR(SequentialTest(series, 1024 * guess).p_value(0), p, 1e-12);
}

TEST(Sequential, changes_sides_when_the_signs_change) {
  std::mt19937_64 random(8);
  const auto series = normal_series(40, 0.03, 0.04, random);
  std::vector<double> mirrored = series;
  std::ranges::transform(mirrored, mirrored.begin(), [](double x) { return -x; });
  const SequentialTest test(series, guess);
  const SequentialTest mirror(mirrored, guess);
  EXPECT_EQ(test.peak_wealth(0.01, Side::Above), mirror.peak_wealth(-0.01, Side::Below));
  EXPECT_EQ(test.p_value(0), mirror.p_value(0));
  const Interval there = test.confidence_interval(0.05, {.low = -1, .high = 1});
  const Interval here = mirror.confidence_interval(0.05, {.low = -1, .high = 1});
  EXPECT_EQ(there.low, -here.high);
  EXPECT_EQ(there.high, -here.low);
}

TEST(Sequential, stays_finite_in_long_and_extreme_series) {
  const std::vector<double> series(5000, 13.0);
  const SequentialTest test(series, guess);
  EXPECT_GT(test.p_value(0), 0);
  EXPECT_LE(test.p_value(0), 1e-99);
  EXPECT_EQ(test.peak_wealth(14, Side::Above), 1);
}

} // namespace
} // namespace dragnet::stats
