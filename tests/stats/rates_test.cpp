#include "stats/rates.h"

#include "stats/interval.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <random>

namespace dragnet::stats {
namespace {

// The example of Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
TEST(Wilson, agrees_with_published_values) {
  const auto expect = [](double part, double cases, double low, double high) {
    const Interval interval = wilson(part / cases, cases);
    EXPECT_NEAR(interval.low, low, 5e-5);
    EXPECT_NEAR(interval.high, high, 5e-5);
  };
  expect(81, 263, 0.2553, 0.3662);
  expect(15, 148, 0.0624, 0.1605);
  expect(0, 20, 0, 0.1611);
  expect(1, 29, 0.0061, 0.1718);
}

TEST(Wilson, knows_nothing_without_cases) {
  const Interval interval = wilson(0, 0);
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 1);
}

TEST(Wilson, covers_the_true_rate_about_as_often_as_it_says) {
  std::mt19937_64 random(7);
  for (const double truth : {0.5, 0.9, 0.97}) {
    std::size_t covered = 0;
    constexpr std::size_t rounds = 4000;
    for (std::size_t round = 0; round < rounds; ++round) {
      std::binomial_distribution<int> cases(60, truth);
      const Interval interval = wilson(cases(random) / 60.0, 60);
      covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
    EXPECT_GT(static_cast<double>(covered) / rounds, 0.92) << truth;
  }
}

} // namespace
} // namespace dragnet::stats
