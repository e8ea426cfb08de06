#include "analysis/rank/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace dragnet::rank {
namespace {

std::vector<double> one_affected_of_a_hundred(std::size_t rank) {
  std::vector<double> changes(100, 0.0);
  changes[rank - 1] = 1;
  return changes;
}

TEST(Metrics, a_change_counts_faster_and_slower_alike) {
  EXPECT_DOUBLE_EQ(change(10, 12), 0.2);
  EXPECT_DOUBLE_EQ(change(10, 8), 0.2);
  EXPECT_DOUBLE_EQ(change(0, 8), 0);
}

TEST(Metrics, the_best_order_of_10_20_and_30_percent_has_an_apfd_p_of_77_8_percent) {
  EXPECT_NEAR(apfd_p(std::array{0.3, 0.2, 0.1}), 0.778, 0.0005);
}

TEST(Metrics, one_affected_test_at_rank_25_of_100_has_75_percent_and_less_than_25_percent) {
  const auto changes = one_affected_of_a_hundred(25);
  EXPECT_NEAR(apfd_p(changes), 0.75, 0.011);
  EXPECT_LT(normalized_gain(changes), 0.25);
  EXPECT_NEAR(normalized_gain(changes), 1 / std::log2(25), 1e-12);
  EXPECT_DOUBLE_EQ(apfd_p(one_affected_of_a_hundred(1)), 1);
  EXPECT_DOUBLE_EQ(normalized_gain(one_affected_of_a_hundred(1)), 1);
}

TEST(Metrics, top_shares_are_those_of_the_published_example) {
  std::vector<double> changes(100, 0.0);
  changes[1] = 3;
  changes[8] = 2;
  changes[4] = 1;
  EXPECT_DOUBLE_EQ(top_share(changes, 1), 0.02);
  EXPECT_DOUBLE_EQ(top_share(changes, 2), 0.09);
  EXPECT_DOUBLE_EQ(top_share(changes, 3), 0.09);
}

TEST(Metrics, are_not_a_number_where_nothing_changed) {
  EXPECT_TRUE(std::isnan(apfd_p(std::array{0.0, 0.0})));
  EXPECT_TRUE(std::isnan(normalized_gain(std::array{0.0, 0.0})));
  EXPECT_TRUE(std::isnan(apfd_p({})));
  EXPECT_DOUBLE_EQ(top_share({}, 1), 0);
}

TEST(Metrics, no_order_is_better_than_the_sorted_one) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> size(1);
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::vector<double> changes(1 + static_cast<std::size_t>(repetition % 20));
    for (double& one : changes)
      one = size(random);
    auto sorted = changes;
    std::ranges::sort(sorted, std::greater());
    EXPECT_LE(apfd_p(changes), apfd_p(sorted) + 1e-12);
    EXPECT_LE(normalized_gain(changes), 1 + 1e-12);
    EXPECT_DOUBLE_EQ(normalized_gain(sorted), 1);
    EXPECT_LE(top_share(sorted, 3), top_share(changes, 3));
  }
}

} // namespace
} // namespace dragnet::rank
