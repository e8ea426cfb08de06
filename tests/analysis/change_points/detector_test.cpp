#include "analysis/change_points/detector.h"

#include "analysis/change_points/otava_series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace dragnet::change_points {
namespace {

// Values around 100 with 2 % of noise, and 10 % more from a point on.
std::vector<double> stepped(std::size_t size, std::size_t at, std::uint64_t seed,
                            double step = 0.1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1, 0.02);
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i)
    values.push_back(100 * noise(random) * (i >= at ? 1 + step : 1));
  return values;
}

// The invariants of every answer.
std::vector<Change> found(std::span<const double> values, const Rule& rule = {}) {
  const std::vector<Change> changes = find_changes(values, rule);
  std::size_t last = 0;
  for (const Change& change : changes) {
    EXPECT_GT(change.index, last);
    EXPECT_LE(change.earliest, change.index);
    EXPECT_GE(change.latest, change.index);
    EXPECT_LE(change.first_position, change.last_position);
    EXPECT_LE(change.interval.low, change.size);
    EXPECT_GE(change.interval.high, change.size);
    EXPECT_LE(change.p_value, rule.significance);
    last = change.index;
  }
  return changes;
}

TEST(ChangePoints, finds_the_step_in_noise) {
  const std::vector<Change> changes = found(stepped(60, 37, 1));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_LE(changes[0].earliest, 37U);
  EXPECT_GE(changes[0].latest, 37U);
  EXPECT_NEAR(changes[0].size, 0.1, 0.02);
}

TEST(ChangePoints, finds_nothing_where_nothing_changes) {
  std::size_t series_with_changes = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    series_with_changes += found(stepped(100, 1000, seed)).empty() ? 0 : 1;
  EXPECT_LE(series_with_changes, 2U);
}

TEST(ChangePoints, ignores_spikes) {
  std::vector<double> values = stepped(100, 1000, 2);
  for (std::size_t i = 7; i < values.size(); i += 13)
    values[i] *= 3;
  EXPECT_TRUE(found(values).empty());
}

TEST(ChangePoints, keeps_gaps_as_gaps) {
  std::vector<double> values = stepped(60, 30, 3);
  for (std::size_t i = 26; i < 34; ++i)
    values[i] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Change> changes = found(values);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].index, 26U); // the points that there are
  EXPECT_LE(changes[0].first_position, 26U);
  EXPECT_GE(changes[0].last_position, 34U);
}

TEST(ChangePoints, could_be_where_it_is_as_often_as_it_says) {
  std::size_t steps = 0;
  std::size_t inside = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    for (const Change& change : found(stepped(80, 40, seed, 0.03))) {
      ++steps;
      inside += change.earliest <= 40 && change.latest >= 40 ? 1 : 0;
    }
  EXPECT_GE(steps, 200U);
  EXPECT_GE(static_cast<double>(inside) / static_cast<double>(steps), 0.9);
}

TEST(ChangePoints, gives_intervals_that_hold_the_size) {
  std::size_t held = 0;
  std::size_t steps = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const Change& change : found(stepped(80, 40, seed))) {
      ++steps;
      held += change.interval.low <= 0.1 && change.interval.high >= 0.1 ? 1 : 0;
    }
  EXPECT_GE(static_cast<double>(held) / static_cast<double>(steps), 0.85);
}

TEST(ChangePoints, finds_every_change_of_exact_counts) {
  const std::vector<double> values = {1000, 1000, 1000, 1000, 1000, 1001, 1001, 1001,
                                      1001, 1001, 1001, 1001, 1001, 1001, 1001, 1001};
  EXPECT_EQ(found(values).size(), 1U);
}

TEST(ChangePoints, takes_exact_values_at_their_word) {
  Rule rule;
  rule.nature = Nature::Exact;
  rule.smallest_effect = 0.05;
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Change> changes = found(std::vector<double>{100, 101, gap, 120, 119, 60}, rule);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].first_position, 2U);
  EXPECT_EQ(changes[0].last_position, 3U);
  EXPECT_NEAR(changes[0].size, 120.0 / 101 - 1, 1e-12);
  EXPECT_EQ(changes[1].last_position, 5U);
}

TEST(ChangePoints, leaves_out_what_is_too_small_to_matter) {
  Rule rule;
  rule.smallest_effect = 0.2;
  EXPECT_TRUE(found(stepped(60, 37, 1), rule).empty());
}

TEST(ChangePoints, trusts_repetitions_in_short_series) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < 6; ++i)
    points.push_back(
        {.position = i,
         .value = i < 3 ? 100.0 + static_cast<double>(i % 2) : 120.0 + static_cast<double>(i % 2),
         .runs = 10,
         .deviation = 2});
  const std::vector<Change> changes = find_changes(points, Rule{});
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].index, 3U);
}

TEST(ChangePoints, survives_odd_series) {
  EXPECT_TRUE(found({}).empty());
  EXPECT_TRUE(found(std::vector<double>{1}).empty());
  EXPECT_TRUE(found(std::vector<double>{1, 2}).empty());
  EXPECT_TRUE(found(std::vector<double>(50, 0.0)).empty());
  EXPECT_TRUE(found(std::vector<double>(50, 1e300)).empty());
}

TEST(ChangePoints, finds_the_same_when_points_come_one_by_one) {
  const std::vector<double> values = stepped(300, 150, 5);
  Detector detector(Rule{}, {});
  for (std::size_t i = 0; i < values.size(); ++i) {
    detector.append({.position = i, .value = values[i]});
    (void)detector.changes();
  }
  const std::vector<Change> at_once = found(values);
  const std::vector<Change> one_by_one = detector.changes();
  ASSERT_EQ(one_by_one.size(), at_once.size());
  for (std::size_t i = 0; i < at_once.size(); ++i)
    EXPECT_EQ(one_by_one[i].index, at_once[i].index);
}

TEST(ChangePoints, of_otavas_series_are_found) {
  for (const Small& series : small_series) {
    std::vector<std::size_t> indices;
    for (const Change& change : found(series.values))
      indices.push_back(change.index);
    EXPECT_EQ(indices, series.changes);
  }
  std::vector<std::size_t> indices;
  for (const Change& change : found(tigerbeetle))
    indices.push_back(change.index);
  for (const std::size_t known : {15U, 71U, 95U})
    EXPECT_NE(std::ranges::find(indices, known), indices.end()) << known;
}

} // namespace
} // namespace dragnet::change_points
