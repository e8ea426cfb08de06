#include "analysis/rank/frequencies.h"

#include "analysis/structure/blocks.h"
#include "analysis/structure/written.h"
#include "model/source.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace dragnet::rank {
namespace {

constexpr structure::FunctionNumber y = 0;

// All calls of a function mean y.
double published(const SourceFunction& function, std::vector<double> loops) {
  const std::vector<std::vector<structure::FunctionNumber>> targets(function.calls.size(), {y});
  const auto result = published_frequencies(function.body, {.loops = loops, .targets = targets});
  return result.contains(y) ? result.at(y) : 0;
}

std::vector<double> reached_of(const SourceFunction& function, std::vector<double> loops,
                               std::vector<std::optional<double>> probabilities = {}) {
  const auto blocks = structure::in_order(function.body);
  probabilities.resize(blocks.size());
  return reached(blocks, {.loops = loops, .probabilities = probabilities}).blocks;
}

TEST(Frequencies, formula_1_adds_what_follows) {
  EXPECT_DOUBLE_EQ(published(function("x", {call("y"), call("y"), work(1)}), {}), 2);
}

TEST(Frequencies, formula_2_takes_the_larger_of_two_branches) {
  const auto x = function(
      "x", {branch("if", {sequence({call("y")}), sequence({call("y"), call("y"), call("y")})})});
  EXPECT_DOUBLE_EQ(published(x, {}), 3);
}

TEST(Frequencies, formula_2_takes_the_larger_for_each_callee) {
  const auto x =
      function("x", {branch("if", {sequence({call("y"), call("y")}), sequence({call("z")})})});
  const std::vector<std::vector<structure::FunctionNumber>> targets{{0}, {0}, {1}};
  const auto result = published_frequencies(x.body, {.loops = {}, .targets = targets});
  EXPECT_DOUBLE_EQ(result.at(0), 2);
  EXPECT_DOUBLE_EQ(result.at(1), 1);
}

TEST(Frequencies, formula_3_multiplies_by_the_count_of_a_loop) {
  const auto x = function("x", {loop("outer", {call("y"), loop("inner", {call("y")})})});
  EXPECT_DOUBLE_EQ(published(x, {10, 7}), 80);
}

// A; while B (if C then D else E; F); G, with 1, 2, 3, 4 and 5 calls in A, D, E, F and G.
TEST(Frequencies, formula_4_is_that_of_the_published_control_flow) {
  const auto times = [](int count) {
    return sequence(std::vector<Written>(static_cast<std::size_t>(count), call("y")));
  };
  const auto x =
      function("x", {times(1), loop("B", {branch("C", {times(2), times(3)}), times(4)}), times(5)});
  EXPECT_DOUBLE_EQ(published(x, {6}), 1 + (3 + 4) * 6 + 5);
}

TEST(Frequencies, several_targets_share_a_call_evenly) {
  const auto x = function("x", {loop("all", {call("a|b|c|d")})});
  const std::vector<std::vector<structure::FunctionNumber>> targets{{0, 1, 2, 3}};
  const std::vector<double> loops{20};
  const auto result = published_frequencies(x.body, {.loops = loops, .targets = targets});
  EXPECT_EQ(result.size(), 4U);
  EXPECT_DOUBLE_EQ(result.at(2), 5);
}

TEST(Frequencies, ours_takes_branches_by_their_probabilities) {
  const auto x = function("x", {branch("if", {sequence({call("y")}), sequence({})})});
  // 0 the body, 1 the branch, 2 and 4 its parts, 3 the call.
  const auto blocks = reached_of(x, {}, {{}, {}, 0.25, {}, 0.75});
  EXPECT_DOUBLE_EQ(blocks[3], 0.25);
  EXPECT_DOUBLE_EQ(blocks[4], 0.75);
}

TEST(Frequencies, ours_reaches_less_behind_an_exit) {
  const auto x = function("x", {branch("if", {sequence({leave()}), sequence({})}), call("y")});
  EXPECT_DOUBLE_EQ(reached_of(x, {}, {{}, {}, 0.6, {}, 0.4}).back(), 0.4);
  EXPECT_DOUBLE_EQ(reached_of(x, {}).back(), 0.9999) << "a guard is rare where nothing is known";
  EXPECT_DOUBLE_EQ(published(x, {}), 1) << "the published method does not know exits";
}

TEST(Frequencies, ours_leaves_a_loop_at_most_once) {
  const auto x = function(
      "x", {loop("search", {branch("found", {sequence({leave()}), sequence({})})}), call("y")});
  const auto blocks = reached_of(x, {50});
  EXPECT_GE(blocks.back(), 0);
  EXPECT_LE(blocks.back(), 1);
}

TEST(Frequencies, work_adds_operations_by_how_often_blocks_are_reached) {
  const auto x = function("x", {work(3), loop("ten", {work(5), call("y")})});
  const auto blocks = structure::in_order(x.body);
  const std::vector<std::optional<double>> unknown(blocks.size());
  const std::vector<double> loops{10};
  const std::vector<std::vector<structure::FunctionNumber>> targets{{y}};
  const Work all =
      work_of(blocks, reached(blocks, {.loops = loops, .probabilities = unknown}), targets);
  EXPECT_DOUBLE_EQ(all.operations, 53);
  EXPECT_DOUBLE_EQ(all.calls.at(y), 10);
}

} // namespace
} // namespace dragnet::rank
