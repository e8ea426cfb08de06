#include "stats/bootstrap.h"
#include "stats/interval.h"
#include "stats/quantiles.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace dragnet::stats {
namespace {

TEST(Quantiles, interpolate_between_neighbours) {
  const std::vector<double> values = {4, 1, 3, 2};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 4);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75); // as R gives by default
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 3.7);
  EXPECT_EQ(median(values), 2.5);
}

TEST(Quantiles, are_not_a_number_of_nothing) {
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(mad({})));
  EXPECT_TRUE(std::isnan(pseudo_median({})));
}

TEST(Quantiles, measure_spread_by_the_median_distance) {
  EXPECT_EQ(mad(std::vector<double>{1, 1, 2, 2, 4, 6, 9}), 1);
}

TEST(Quantiles, take_the_median_of_all_means_of_two) {
  // 1, 1.5, 2, 3.5, 4, 6
  EXPECT_EQ(pseudo_median(std::vector<double>{1, 2, 6}), 2.75);
  EXPECT_EQ(pseudo_median(std::vector<double>{5}), 5);
  EXPECT_EQ(pseudo_median(std::vector<double>(1200, 3.0)), 3);
}

TEST(Bootstrap, gives_the_same_interval_for_the_same_seed) {
  const std::vector<double> values = {5, 3, 8, 1, 9, 2, 7};
  std::mt19937_64 one(1);
  std::mt19937_64 same(1);
  const Interval a = bootstrap_median(values, {}, one);
  const Interval b = bootstrap_median(values, {}, same);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_LE(a.low, median(values));
  EXPECT_GE(a.high, median(values));
}

TEST(Bootstrap, is_a_point_where_nothing_varies) {
  std::mt19937_64 random(1);
  const Interval interval = bootstrap_median(std::vector<double>{4, 4, 4}, {}, random);
  EXPECT_EQ(interval.low, 4);
  EXPECT_EQ(interval.high, 4);
}

// 400 series at 95 % have a standard error of 1.1 %; the method itself is a little off at 30
// values.
TEST(Bootstrap, covers_the_median_about_as_often_as_it_says) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> noise(10, 1);
  int covered = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<double> values(30);
    for (double& value : values)
      value = noise(random);
    const Interval interval = bootstrap_median(values, {.confidence = 0.95, .rounds = 400}, random);
    covered += interval.low <= 10 && 10 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(covered, 360);
  EXPECT_LE(covered, 396);
}

TEST(Bootstrap, gives_no_interval_for_nothing) {
  std::mt19937_64 random(1);
  EXPECT_TRUE(std::isnan(bootstrap_median({}, {}, random).low));
}

} // namespace
} // namespace dragnet::stats
