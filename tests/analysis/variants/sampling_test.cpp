#include "analysis/variants/sampling.h"

#include "analysis/variants/plain_solver.h"
#include "analysis/variants/spaces.h"
#include "model/configuration.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

namespace dragnet::variants {
namespace {

// Two alternatives of three, one implication: 3 * 3 = 9 valid configurations.
class Samples : public testing::Test {
protected:
  Samples() {
    space.groups = {
        {.name = "codec", .choice = Choice::ExactlyOne, .options = {0, 1, 2}, .levels = {}}};
    space.clauses = {{.literals = {{3, false}, {4, true}}, .text = "3 needs 4"}};
  }
  // The invariant: all are valid, and none comes twice.
  void check(PlainSolver& solver, const std::vector<Configuration>& found) {
    EXPECT_FALSE(found.empty());
    for (const Configuration& configuration : found)
      EXPECT_TRUE(solver.valid(configuration));
    EXPECT_EQ(std::set<Configuration>(found.begin(), found.end()).size(), found.size());
  }
  ConfigurationSpace space = free_space(5);
  Random random{1};
};

TEST_F(Samples, by_feature_have_each_option_with_little_else) {
  PlainSolver solver(space);
  const std::vector<Configuration> found = feature_wise(solver);
  check(solver, found);
  EXPECT_EQ(found.size(), 5U);
  EXPECT_EQ(found.front(), on(5, {0}));
}

TEST_F(Samples, by_absent_feature_have_much_but_one) {
  PlainSolver solver(space);
  const std::vector<Configuration> found = negative_feature_wise(solver);
  check(solver, found);
  EXPECT_EQ(found.back().on(4), false);
}

TEST_F(Samples, by_pairs_cover_each_pair_that_can_be) {
  PlainSolver solver(space);
  const std::vector<Configuration> found = pair_wise(solver);
  check(solver, found);
  EXPECT_TRUE(
      std::ranges::any_of(found, [](const Configuration& c) { return c.on(1) && c.on(3); }));
  EXPECT_TRUE(
      std::ranges::none_of(found, [](const Configuration& c) { return c.on(0) && c.on(1); }));
}

TEST_F(Samples, know_which_options_are_alternatives) {
  space.clauses.push_back({.literals = {{3, false}, {0, false}}, .text = "3 excludes 0"});
  PlainSolver solver(space);
  EXPECT_EQ(alternatives(solver), on(5, {0, 1, 2}));
}

TEST_F(Samples, of_a_uniform_draw_are_equally_frequent) {
  PlainSolver solver(space);
  std::map<Configuration, std::size_t> counts;
  for (int i = 0; i < 1800; ++i)
    ++counts[uniform(solver, 1, random).front()];
  EXPECT_EQ(counts.size(), 9U);
  for (const auto& [configuration, count] : counts)
    EXPECT_NEAR(static_cast<double>(count), 200, 60); // more than four deviations
}

TEST_F(Samples, of_a_uniform_draw_do_not_repeat) {
  PlainSolver solver(space);
  const std::vector<Configuration> found = uniform(solver, 9, random);
  check(solver, found);
}

TEST_F(Samples, by_distance_spread_the_number_of_options_that_are_on) {
  PlainSolver solver(free_space(40));
  std::map<std::size_t, std::size_t> thirds;
  for (const Configuration& configuration : distance_based(solver, 300, random))
    ++thirds[configuration.count() * 3 / 41];
  for (std::size_t third = 0; third < 3; ++third)
    EXPECT_GT(thirds[third], 60U);
}

} // namespace
} // namespace dragnet::variants
