#include "analysis/variants/segments.h"

#include "analysis/variants/notebook.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace dragnet::variants {
namespace {

Cells cells_of(const std::vector<double>& values) {
  Cells cells;
  for (std::size_t i = 0; i < values.size(); ++i)
    cells[10 * i].add(values[i]);
  return cells;
}

std::vector<Segment> segments(const Cells& cells, const Noise& noise, double deviations) {
  return segments(CellRange(cells.begin(), cells.end()), noise, deviations);
}

TEST(Segments, find_each_level_and_its_bounds) {
  const Cells cells = cells_of({10, 10.1, 9.9, 12, 12.1, 10, 10.1});
  const std::vector<Segment> found = segments(cells, Noise{0.01}, 3.3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].last, 20U);
  EXPECT_EQ(found[1].first, 30U);
  EXPECT_EQ(found[1].last, 40U);
  EXPECT_NEAR(found[1].mean, 12.05, 1e-9);
  EXPECT_GT(deviations_between(found[0], found[1], Noise{0.01}), 10);
}

TEST(Segments, leave_noise_alone) {
  EXPECT_EQ(segments(cells_of({10, 10.3, 9.8, 10.1}), Noise{0.02}, 3.3).size(), 1U);
}

TEST(Segments, see_what_differs_by_a_millionth_where_there_is_no_noise) {
  EXPECT_EQ(segments(cells_of({40, 40, 40.001, 40.001}), Noise{1e-6}, 3.3).size(), 2U);
}

// The cost of a partition, plainly.
double cost(const std::vector<double>& values, std::size_t cuts, double noise, double penalty) {
  double total = -penalty;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin + 1;
    while (end < values.size() && (cuts >> (end - 1) & 1U) == 0)
      ++end;
    double weight = 0;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      weight += 1 / std::pow(noise * values[i], 2);
      sum += values[i] / std::pow(noise * values[i], 2);
    }
    for (std::size_t i = begin; i < end; ++i)
      total += std::pow((values[i] - (sum / weight)) / (noise * values[i]), 2);
    total += penalty;
    begin = end;
  }
  return total;
}

TEST(Segments, are_the_cheapest_of_all_partitions) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 30; ++round) {
    std::vector<double> values(8);
    double level = 10;
    for (double& value : values)
      value = (level += random() % 4 == 0 ? 1 : 0) * (1 + (0.03 * normal(random)));
    double best = std::numeric_limits<double>::infinity();
    std::size_t best_cuts = 0;
    for (std::size_t cuts = 0; cuts < 128; ++cuts)
      if (const double price = cost(values, cuts, 0.03, 4); price < best) {
        best = price;
        best_cuts = cuts;
      }
    EXPECT_EQ(segments(cells_of(values), Noise{0.03}, 2).size(),
              1U + static_cast<std::size_t>(std::popcount(best_cuts)));
  }
}

} // namespace
} // namespace dragnet::variants
