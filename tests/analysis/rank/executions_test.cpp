#include "analysis/rank/executions.h"

#include "analysis/rank/propagation.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace dragnet::rank {
namespace {

ChangeEdge edge(structure::FunctionNumber caller, structure::FunctionNumber callee, double before,
                double now) {
  return {.caller = caller, .callee = callee, .frequency = now, .before = before};
}

std::vector<double> after(std::vector<double> calls, std::vector<ChangeEdge> edges) {
  return executions_after({.arises = std::vector<double>(calls.size(), 0.0),
                           .calls = std::move(calls),
                           .edges = std::move(edges)});
}

TEST(Executions, grow_along_calls) {
  // 0 calls 1 three times in place of twice; 1 calls 2 five times.
  EXPECT_EQ(after({1, 2, 10}, {edge(0, 1, 2, 3), edge(1, 2, 5, 5)}),
            (std::vector<double>{1, 3, 15}));
}

TEST(Executions, of_what_is_called_no_longer_end) {
  EXPECT_EQ(after({1, 2, 10}, {edge(0, 1, 2, 0), edge(1, 2, 5, 5)}),
            (std::vector<double>{1, 0, 0}));
}

TEST(Executions, are_never_less_than_none) {
  EXPECT_EQ(after({1, 2}, {edge(0, 1, 5, 0)}), (std::vector<double>{1, 0}));
}

TEST(Executions, in_a_recursion_that_stays_as_it_was_stay_the_same) {
  // The frequencies have no end, as averages over unlike calls may say.
  EXPECT_EQ(after({1, 10, 10}, {edge(0, 1, 1, 1), edge(1, 2, 1.2, 1.2), edge(2, 1, 0.9, 0.9)}),
            (std::vector<double>{1, 10, 10}));
}

TEST(Executions, go_on_through_a_recursion_that_is_entered_more_often) {
  // Each call from outside leads to ten executions.
  const auto executions = after({1, 10}, {edge(0, 1, 1, 2), edge(1, 1, 0.9, 0.9)});
  EXPECT_NEAR(executions[1], 20, 1e-6);
}

TEST(Executions, of_a_recursion_without_end_are_counted_once) {
  EXPECT_EQ(after({1, 1}, {edge(0, 1, 1, 1), edge(1, 1, 0, 1)}), (std::vector<double>{1, 2}));
}

// Without recursion: as often as the calls of all callers say.
TEST(Executions, are_the_calls_of_all_callers) {
  std::mt19937_64 random(5);
  for (int repetition = 0; repetition < 100; ++repetition) {
    const std::size_t functions = 2 + random() % 20;
    std::vector<double> before(functions, 0.0);
    std::vector<double> now(functions, 0.0);
    before[0] = now[0] = 1;
    std::vector<ChangeEdge> edges;
    for (std::size_t caller = 0; caller < functions; ++caller)
      for (std::size_t callee = caller + 1; callee < functions; ++callee) {
        edges.push_back(edge(caller, callee, static_cast<double>(random() % 3),
                             static_cast<double>(random() % 3)));
        before[callee] += edges.back().before * before[caller];
        now[callee] += edges.back().frequency * now[caller];
      }
    EXPECT_EQ(after(before, edges), now);
  }
}

} // namespace
} // namespace dragnet::rank
