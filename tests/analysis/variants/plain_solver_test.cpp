#include "analysis/variants/plain_solver.h"

#include "analysis/variants/spaces.h"
#include "model/configuration.h"

#include <gtest/gtest.h>
#include <vector>

namespace dragnet::variants {
namespace {

TEST(PlainSolver, gives_what_is_wanted_where_all_is_valid) {
  PlainSolver solver(free_space(5));
  EXPECT_EQ(solver.near(on(5, {1, 3}), {}), on(5, {1, 3}));
  EXPECT_TRUE(solver.valid(on(5, {0, 4})));
}

TEST(PlainSolver, keeps_to_groups_clauses_and_what_is_fixed) {
  ConfigurationSpace space = free_space(5);
  space.groups = {
      {.name = "codec", .choice = Choice::ExactlyOne, .options = {0, 1, 2}, .levels = {}}};
  space.clauses = {{.literals = {{3, false}, {4, true}}, .text = "3 needs 4"}};
  PlainSolver solver(space);
  const std::vector<Literal> fixed = {{3, true}};
  const auto found = solver.near(Configuration(5, true), fixed);
  ASSERT_TRUE(found);
  EXPECT_TRUE(solver.valid(*found));
  EXPECT_TRUE(found->on(3) && found->on(4));
  EXPECT_EQ(found->count(), 3U);
  EXPECT_FALSE(solver.valid(Configuration(5)));
  EXPECT_FALSE(solver.valid(on(5, {0, 3})));
}

TEST(PlainSolver, backtracks_where_the_first_choice_leads_nowhere) {
  ConfigurationSpace space = free_space(3);
  space.clauses = {{.literals = {{0, false}, {1, true}, {2, true}}, .text = ""},
                   {.literals = {{1, false}, {2, true}}, .text = ""},
                   {.literals = {{2, false}, {0, false}}, .text = ""}};
  PlainSolver solver(space);
  const auto found = solver.near(Configuration(3, true), {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(solver.valid(*found));
}

TEST(PlainSolver, says_that_nothing_is_valid) {
  ConfigurationSpace space = free_space(2);
  space.clauses = {{.literals = {{0, true}}, .text = ""}, {.literals = {{0, false}}, .text = ""}};
  EXPECT_FALSE(PlainSolver(space).near(Configuration(2), {}));
}

} // namespace
} // namespace dragnet::variants
