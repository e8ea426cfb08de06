#include "analysis/change_points/divisive.h"
#include "analysis/change_points/gaussian.h"
#include "analysis/change_points/otava_series.h"
#include "analysis/change_points/segmentation.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace dragnet::change_points {
namespace {

using Indices = std::vector<std::size_t>;

TEST(WindowedDivisive, finds_what_otava_finds) {
  for (const Expected& expected : tigerbeetle_expected)
    EXPECT_EQ(windowed_divisive(tigerbeetle, {.window = 30,
                                              .significance = expected.significance,
                                              .smallest_effect = expected.smallest_effect}),
              expected.changes)
        << expected.significance << " " << expected.smallest_effect;
  for (const Small& series : small_series)
    EXPECT_EQ(windowed_divisive(series.values, {}), series.changes);
}

TEST(WindowedDivisive, leaves_small_changes_out) {
  EXPECT_TRUE(windowed_divisive(small_series[1].values, {.smallest_effect = 0.2}).empty());
  EXPECT_EQ(windowed_divisive(small_series[0].values, {.smallest_effect = 0.2}), Indices{6});
}

// The sequence of Otava's own test of the original method.
TEST(Divisive, finds_what_otavas_form_of_the_original_finds) {
  const std::vector<double> values = {0.3,  2.4,   1.5,   -0.9,  -0.5,  99.7,  98.3,
                                      99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0};
  EXPECT_EQ(divisive(values, {.significance = 0.01, .permutations = 100}), (Indices{5, 8}));
}

TEST(Divisive, of_next_to_nothing_is_nothing) {
  EXPECT_TRUE(divisive({}, {}).empty());
  EXPECT_TRUE(divisive(std::vector<double>{1}, {}).empty());
  EXPECT_TRUE(windowed_divisive(std::vector<double>{1}, {}).empty());
}

// Both minimise the same cost, in different ways.
TEST(Gaussian, agrees_with_the_segmentation_without_outliers) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (std::size_t i = 0; i < 300; ++i)
    values.push_back(normal(random) + (i >= 100 ? 3 : 0) + (i >= 210 ? -2 : 0));
  const Indices changes = gaussian_changes(values, Differs::Mean, 3);
  EXPECT_EQ(changes.size(), 2U);
  Segmentation segmentation(
      {.segment = 3 * std::log(300.0), .outlier = std::numeric_limits<double>::max()});
  for (const double value : values)
    segmentation.append(value);
  EXPECT_EQ(segmentation.changes(), changes);
}

TEST(Gaussian, sees_a_change_of_variance) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (std::size_t i = 0; i < 200; ++i)
    values.push_back(normal(random) * (i >= 100 ? 10 : 1));
  const Indices changes = gaussian_changes(values, Differs::MeanAndVariance, 4);
  ASSERT_FALSE(changes.empty());
  EXPECT_NEAR(static_cast<double>(changes[0]), 100, 5);
}

TEST(Gaussian, of_nothing_is_nothing) {
  EXPECT_TRUE(gaussian_changes({}, Differs::Mean, 3).empty());
  EXPECT_TRUE(gaussian_changes(std::vector<double>{1}, Differs::MeanAndVariance, 3).empty());
}

} // namespace
} // namespace dragnet::change_points
