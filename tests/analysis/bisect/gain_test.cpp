#include "analysis/bisect/gain.h"

#include <gtest/gtest.h>

namespace dragnet::bisect {
namespace {

TEST(Gain, is_a_bit_for_a_clear_answer_to_an_even_question) {
  EXPECT_NEAR(information(0.5, 10), 1, 1e-3);
  EXPECT_NEAR(entropy(0.5), 1, 1e-12);
}

TEST(Gain, is_nothing_where_nothing_is_open_or_visible) {
  EXPECT_EQ(information(0, 3), 0);
  EXPECT_EQ(information(1, 3), 0);
  EXPECT_NEAR(information(0.5, 0), 0, 1e-12);
}

// The capacity of a channel with two equally probable inputs, two deviations apart: 0.4859 bits, by
// numerical integration on a fine grid.
TEST(Gain, agrees_with_numerical_integration) {
  EXPECT_NEAR(information(0.5, 2), 0.4859, 1e-3);
}

TEST(Gain, is_the_same_from_both_sides) {
  EXPECT_NEAR(information(0.2, 1.3), information(0.8, 1.3), 1e-12);
}

TEST(Worth, asks_for_more_rounds_in_more_noise) {
  EXPECT_GT(worth(0.5, 0.2, 30, 1).rounds, worth(0.5, 2, 30, 1).rounds);
}

TEST(Worth, repeats_what_is_built_rather_than_building) {
  EXPECT_GT(worth(0.2, 1, 0, 1).rate, worth(0.5, 1, 30, 1).rate);
}

} // namespace
} // namespace dragnet::bisect
