#include "source/library_costs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dragnet::source {
namespace {

TEST(LibraryCosts, are_measured_and_of_the_order_that_they_should_be) {
  const auto costs = measured_library();
  EXPECT_GT(costs.size(), 100U);
  for (const auto& [name, cost] : costs) {
    EXPECT_TRUE(std::isfinite(cost)) << name;
    EXPECT_GE(cost, 0) << name;
    EXPECT_LT(cost, 1e5) << name;
  }
  // What takes memory for each element costs more than what seldom does.
  EXPECT_GT(costs.at("std::map::insert"), costs.at("std::vector::push_back"));
  EXPECT_GT(costs.at("std::list::push_back"), costs.at("std::vector::push_back"));
  EXPECT_GT(costs.at("snprintf"), costs.at("strlen"));
}

} // namespace
} // namespace dragnet::source
