#include "stats/kernel_density.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace dragnet::stats {
namespace {

TEST(ExponentialDensity, is_the_sum_of_all_kernels) {
  const std::vector<double> counts = {0, 2, 0, 0, 1, 0};
  const std::vector<double> density = exponential_density(counts, 1.7);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double plain = 0;
    for (std::size_t j = 0; j < counts.size(); ++j)
      plain +=
          counts[j] * std::exp(-std::abs(static_cast<double>(i) - static_cast<double>(j)) / 1.7);
    EXPECT_NEAR(density[i], plain, 1e-12);
  }
}

TEST(BandwidthByFolds, is_narrow_for_repeated_numbers_and_wide_for_spread_ones) {
  constexpr std::array<double, 4> bandwidths = {0.1, 1, 3, 10};
  std::vector<std::size_t> same;
  std::vector<std::size_t> spread;
  for (std::size_t i = 0; i < 50; ++i) {
    same.push_back(40 + (20 * (i % 2)));
    spread.push_back((i * 37) % 100);
  }
  EXPECT_EQ(bandwidth_by_folds(same, 100, bandwidths, 5), 0.1);
  EXPECT_GE(bandwidth_by_folds(spread, 100, bandwidths, 5), 3);
}

} // namespace
} // namespace dragnet::stats
