#include "stats/order.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace dragnet::stats {
namespace {

constexpr std::size_t pairs = 10000;
constexpr double three_errors = 150; // of a count of 10,000 fair coins

TEST(Order, is_the_same_for_the_same_seed_and_pair) {
  for (std::size_t pair = 0; pair < 100; ++pair)
    EXPECT_EQ(new_first(42, pair), new_first(42, pair));
}

TEST(Order, is_a_fair_coin_for_neighbouring_seeds) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    int heads = 0;
    for (std::size_t pair = 0; pair < pairs; ++pair)
      heads += new_first(seed, pair) ? 1 : 0;
    EXPECT_NEAR(heads, pairs / 2.0, 200); // four standard errors
  }
}

TEST(Order, does_not_depend_on_the_pair_before) {
  int repeats = 0;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    repeats += new_first(7, pair) == new_first(7, pair + 1) ? 1 : 0;
  EXPECT_NEAR(repeats, pairs / 2.0, three_errors);
}

TEST(Order, differs_between_neighbouring_seeds) {
  int equal = 0;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    equal += new_first(7, pair) == new_first(8, pair) ? 1 : 0;
  EXPECT_NEAR(equal, pairs / 2.0, three_errors);
}

} // namespace
} // namespace dragnet::stats
