#include "analysis/rank/propagation.h"

#include "analysis/rank/components.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace dragnet::rank {
namespace {

TEST(Propagation, formula_9_divides_executions_by_the_calls_from_outside_and_inside) {
  // total(A) = 30, total(B) = 20; f_XA = 2, f_YB = 3; f_AB = 0.5, f_BA = 0.8.
  EXPECT_DOUBLE_EQ(
      depth_of({.executions = 30 + 20, .from_outside = 2 + 3, .frequencies = {0.5, 0.8}}),
      50 / (5 * 0.5 * 0.8));
  EXPECT_DOUBLE_EQ(depth_of({}), 1);
}

TEST(Propagation, a_change_reaches_the_root_times_the_frequencies_on_its_ways) {
  // 0 calls 1 twice and 2 three times; 1 calls 2 five times; 2 changed by 7.
  const ChangeGraph graph{.arises = {0, 0, 7},
                          .calls = {1, 2, 13},
                          .edges = {{.caller = 0, .callee = 1, .frequency = 2, .calls = 2},
                                    {.caller = 0, .callee = 2, .frequency = 3, .calls = 3},
                                    {.caller = 1, .callee = 2, .frequency = 5, .calls = 10}}};
  const auto changes = propagated(graph);
  EXPECT_DOUBLE_EQ(changes[1], 35);
  EXPECT_DOUBLE_EQ(changes[0], 91);
}

// X (0) calls A (1), Y (2) calls B (3), A calls B, B calls A; B changes by 1.
ChangeGraph published_cycle() {
  return {.arises = {0, 0, 0, 1},
          .calls = {1, 10, 1, 10},
          .edges = {{.caller = 0, .callee = 1, .frequency = 1, .calls = 1},
                    {.caller = 2, .callee = 3, .frequency = 1, .calls = 1},
                    {.caller = 1, .callee = 3, .frequency = 0.9, .calls = 9},
                    {.caller = 3, .callee = 1, .frequency = 0.9, .calls = 9}}};
}

TEST(Propagation, a_recursion_counts_once_around_times_its_depth) {
  const auto changes = propagated(published_cycle());
  const double depth = 20 / (2 * 0.9 * 0.9);
  EXPECT_DOUBLE_EQ(changes[0], 1 * depth * (1 * 0.9)) << "f_XA * depth * t(B) * f_AB";
}

TEST(Propagation, a_recursion_that_the_commit_added_has_depth_1) {
  auto graph = published_cycle();
  graph.edges[3].calls = 0;
  EXPECT_DOUBLE_EQ(propagated(graph)[0], 0.9);
}

TEST(Propagation,
     the_depth_of_functions_that_call_each_other_in_many_ways_is_that_of_the_usual_one) {
  // Beside the cycle of A (1) and B (3), both call C (4) once in a while, which calls both.
  auto graph = published_cycle();
  graph.arises.push_back(0);
  graph.calls.push_back(2);
  for (const structure::FunctionNumber one : {1U, 3U}) {
    graph.edges.push_back({.caller = one, .callee = 4, .frequency = 0.1, .calls = 1});
    graph.edges.push_back({.caller = 4, .callee = one, .frequency = 0.5, .calls = 1});
  }
  const double depth = 20 / ((2 + 2) * 0.9 * 0.9);
  EXPECT_DOUBLE_EQ(propagated(graph)[0], depth * 0.9);
}

// In a program without recursion that is what arises times the executions.
TEST(Propagation, the_root_changes_by_what_arises_times_the_executions) {
  std::mt19937_64 random(3);
  for (int repetition = 0; repetition < 100; ++repetition) {
    const std::size_t functions = 2 + random() % 20;
    ChangeGraph graph{.arises = std::vector<double>(functions),
                      .calls = std::vector<double>(functions, 0.0),
                      .edges = {}};
    graph.calls[0] = 1;
    double expected = 0;
    for (std::size_t caller = 0; caller < functions; ++caller) {
      graph.arises[caller] = static_cast<double>(random() % 5) - 2;
      expected += graph.arises[caller] * graph.calls[caller];
      for (std::size_t callee = caller + 1; callee < functions; ++callee)
        if (random() % 3 == 0) {
          const auto frequency = static_cast<double>(random() % 3);
          const double calls = frequency * graph.calls[caller];
          graph.edges.push_back(
              {.caller = caller, .callee = callee, .frequency = frequency, .calls = calls});
          graph.calls[callee] += calls;
        }
    }
    EXPECT_DOUBLE_EQ(propagated(graph)[0], expected);
  }
}

TEST(Components, come_callees_first_and_hold_cycles_together) {
  const auto all = components({{1}, {2, 3}, {1}, {}});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0], (std::vector<structure::FunctionNumber>{3}));
  auto cycle = all[1];
  std::ranges::sort(cycle);
  EXPECT_EQ(cycle, (std::vector<structure::FunctionNumber>{1, 2}));
  EXPECT_EQ(all[2], (std::vector<structure::FunctionNumber>{0}));
}

TEST(Components, stand_a_chain_of_a_hundred_thousand_calls) {
  Callees chain(100'000);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    chain[i].push_back(i + 1);
  EXPECT_EQ(components(chain).size(), chain.size());
}

} // namespace
} // namespace dragnet::rank
