#include "stats/holm.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace dragnet::stats {
namespace {

TEST(Holm, agrees_with_hand_computed_values) {
  const std::vector<double> adjusted = holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(adjusted[i], expected[i], 1e-15);
}

TEST(Holm, leaves_a_single_value_alone) {
  EXPECT_EQ(holm_adjusted(std::vector<double>{0.2}), std::vector<double>{0.2});
}

TEST(Holm, never_exceeds_one) {
  EXPECT_EQ(holm_adjusted(std::vector<double>{0.9, 0.6}), (std::vector<double>{1, 1}));
}

TEST(Holm, rejects_nothing_when_the_smallest_fails) {
  for (const double adjusted : holm_adjusted(std::vector<double>{0.02, 0.021, 0.022}))
    EXPECT_GT(adjusted, 0.05);
}

TEST(Holm, takes_no_values) {
  EXPECT_TRUE(holm_adjusted({}).empty());
}

} // namespace
} // namespace dragnet::stats
