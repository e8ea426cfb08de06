#include "stats/flow.h"

#include <gtest/gtest.h>

#include <vector>

namespace dragnet::stats {
namespace {

TEST(Flow, divides_a_cost_among_those_that_lead_to_it) {
  // 0 -> 2 three times, 1 -> 2 once.
  const std::vector<Arc> arcs{{0, 2, 3}, {1, 2, 1}};
  const auto parts = parts_of(arcs, 3);
  EXPECT_EQ(parts, (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(accumulated(std::vector<double>{1, 1, 8}, arcs, parts, 100),
            (std::vector<double>{7, 3, 8}));
}

TEST(Flow, passes_on_through_several_nodes) {
  const std::vector<Arc> arcs{{0, 1, 1}, {1, 2, 5}};
  EXPECT_EQ(accumulated(std::vector<double>{1, 2, 4}, arcs, parts_of(arcs, 3), 100),
            (std::vector<double>{7, 6, 4}));
}

TEST(Flow, stays_finite_in_a_cycle_and_ignores_calls_to_itself) {
  const std::vector<Arc> arcs{{0, 1, 1}, {1, 0, 1}, {0, 0, 50}};
  for (const double sum : accumulated(std::vector<double>{1, 1}, arcs, parts_of(arcs, 2), 10)) {
    EXPECT_GE(sum, 1);
    EXPECT_LE(sum, 10);
  }
}

} // namespace
} // namespace dragnet::stats
