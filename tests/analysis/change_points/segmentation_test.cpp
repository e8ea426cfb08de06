#include "analysis/change_points/segmentation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace dragnet::change_points {
namespace {

// The least cost of one segment: its best level is the mean of values that are next to each other
// in order, and all of those are tried.
double segment_cost(std::vector<double> values, double outlier) {
  std::ranges::sort(values);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first < values.size(); ++first) {
    double sum = 0;
    for (std::size_t last = first; last < values.size(); ++last) {
      sum += values[last];
      const double level = sum / static_cast<double>(last - first + 1);
      double cost = 0;
      for (const double value : values)
        cost += std::min((value - level) * (value - level), outlier);
      best = std::min(best, cost);
    }
  }
  return best;
}

// By trying every start of every last segment.
double plain_cost(const std::vector<double>& values, const Price& price) {
  std::vector<double> best(values.size() + 1, std::numeric_limits<double>::infinity());
  best[0] = -price.segment;
  for (std::size_t end = 1; end <= values.size(); ++end)
    for (std::size_t start = 0; start < end; ++start)
      best[end] =
          std::min(best[end], best[start] + price.segment +
                                  segment_cost({values.begin() + static_cast<std::ptrdiff_t>(start),
                                                values.begin() + static_cast<std::ptrdiff_t>(end)},
                                               price.outlier));
  return best.back();
}

std::vector<double> jumpy(std::size_t size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> heavy(2);
  std::vector<double> values;
  double level = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (random() % 12 == 0)
      level += 4 * normal(random);
    values.push_back(level + heavy(random));
  }
  return values;
}

double cost_of(const std::vector<double>& values, const std::vector<std::size_t>& changes,
               const Price& price) {
  double cost = price.segment * static_cast<double>(changes.size());
  std::size_t start = 0;
  std::vector<std::size_t> ends = changes;
  ends.push_back(values.size());
  for (const std::size_t end : ends) {
    cost += segment_cost({values.begin() + static_cast<std::ptrdiff_t>(start),
                          values.begin() + static_cast<std::ptrdiff_t>(end)},
                         price.outlier);
    start = end;
  }
  return cost;
}

TEST(Segmentation, is_as_cheap_as_trying_everything) {
  std::mt19937_64 random(3);
  for (const double outlier : {4.0, 9.0, 1e9})
    for (std::size_t round = 0; round < 40; ++round) {
      const std::vector<double> values = jumpy(40, random);
      const Price price{.segment = 5, .outlier = outlier};
      Segmentation segmentation(price);
      for (const double value : values)
        segmentation.append(value);
      EXPECT_NEAR(segmentation.cost(), plain_cost(values, price), 1e-6);
      EXPECT_NEAR(segmentation.cost(), cost_of(values, segmentation.changes(), price), 1e-6);
    }
}

TEST(Segmentation, finds_the_step) {
  Segmentation segmentation({.segment = 10, .outlier = 9});
  for (const double value : {0.1, -0.2, 0.0, 0.3, -0.1, 5.1, 4.9, 5.0, 5.2, 4.8})
    segmentation.append(value);
  EXPECT_EQ(segmentation.changes(), std::vector<std::size_t>{5});
}

TEST(Segmentation, does_not_take_a_spike_for_a_step) {
  Segmentation segmentation({.segment = 10, .outlier = 9});
  for (const double value : {0.1, -0.2, 0.0, 1000.0, -0.1, 0.1, -900.0, 0.0})
    segmentation.append(value);
  EXPECT_TRUE(segmentation.changes().empty());
}

TEST(Segmentation, of_nothing_has_no_changes) {
  EXPECT_TRUE(Segmentation({.segment = 10}).changes().empty());
}

} // namespace
} // namespace dragnet::change_points
