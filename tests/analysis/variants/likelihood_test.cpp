#include "analysis/variants/likelihood.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr std::size_t commits = 100;

TEST(ChangeLikelihood, sums_to_one_and_is_largest_at_the_step) {
  const std::vector<Reading> readings = {{0, 10}, {40, 10}, {50, 12}, {99, 12}};
  const ChangeLikelihood likelihood(readings, commits, {});
  double sum = 0;
  for (std::size_t commit = 0; commit < commits; ++commit)
    sum += likelihood.at(commit);
  EXPECT_NEAR(sum, 1, 1e-9);
  // By hand: the pairs across weigh 1/100, 1/59^2, 1/50^2 and 1/99^2 there.
  const double inside = (1.0 / 100) + (1.0 / 3481) + (1.0 / 2500) + (1.0 / 9801);
  const double left = (1.0 / 2500) + (1.0 / 9801);
  EXPECT_NEAR(likelihood.at(45) / likelihood.at(20), inside / left, 1e-9);
  EXPECT_EQ(likelihood.at(0), 0);
  EXPECT_EQ(likelihood.peaks(2), std::vector<std::size_t>{45});
}

TEST(ChangeLikelihood, is_nothing_where_nothing_differs) {
  const std::vector<Reading> readings = {{0, 10}, {40, 10.05}, {99, 10}};
  const ChangeLikelihood likelihood(readings, commits, {.relative = 0.01});
  EXPECT_EQ(likelihood.at(50), 0);
  EXPECT_TRUE(likelihood.peaks(3).empty());
}

TEST(ChangeThreshold, is_relative_to_the_smaller_or_absolute) {
  EXPECT_TRUE((ChangeThreshold{.relative = 0.1}).exceeded(10, 11));
  EXPECT_FALSE((ChangeThreshold{.relative = 0.1}).exceeded(10, 10.9));
  EXPECT_FALSE((ChangeThreshold{.relative = 0.1, .absolute = 2}).exceeded(10, 11.5));
  EXPECT_FALSE((ChangeThreshold{.relative = 0}).exceeded(10, 10));
}

} // namespace
} // namespace dragnet::variants
