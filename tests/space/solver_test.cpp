#include "space/solver.h"

#include "analysis/variants/plain_solver.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/synthetic.h"
#include "model/configuration.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace dragnet::space {
namespace {

ConfigurationSpace codecs() {
  ConfigurationSpace space;
  space.options = {"gzip", "lzo", "zpaq", "encrypt", "compress"};
  space.groups = {{.name = "gzip + lzo + zpaq == 1",
                   .choice = Choice::ExactlyOne,
                   .options = {0, 1, 2},
                   .levels = {}}};
  space.clauses = {{.literals = {{3, false}, {4, true}}, .text = "encrypt implies compress"}};
  return space;
}

TEST(Solver, finds_a_configuration_near_to_what_is_wanted) {
  const auto solver = Solver::make(codecs());
  ASSERT_TRUE(solver);
  const std::vector<Literal> fixed = {{3, true}};
  const auto found = (*solver)->near(Configuration(5), fixed);
  ASSERT_TRUE(found);
  EXPECT_TRUE((*solver)->valid(*found));
  EXPECT_TRUE(found->on(3) && found->on(4));
  EXPECT_EQ(found->count(), 3U);
}

TEST(Solver, says_where_nothing_fits) {
  const auto solver = Solver::make(codecs());
  ASSERT_TRUE(solver);
  const std::vector<Literal> two_codecs = {{0, true}, {1, true}};
  EXPECT_FALSE((*solver)->near(Configuration(5), two_codecs));
}

TEST(Solver, names_exactly_the_constraints_that_clash) {
  ConfigurationSpace space = codecs();
  space.clauses.push_back({.literals = {{3, true}}, .text = "encrypt"});
  space.clauses.push_back({.literals = {{4, false}}, .text = "not compress"});
  space.clauses.push_back({.literals = {{0, true}, {1, true}}, .text = "gzip or lzo"});
  const auto solver = Solver::make(space);
  ASSERT_FALSE(solver);
  EXPECT_EQ(solver.error().what,
            "no configuration is valid: these constraints contradict each other: "
            "'encrypt implies compress', 'encrypt', 'not compress'");
}

TEST(Solver, refuses_a_space_without_options) {
  EXPECT_FALSE(Solver::make({}));
}

TEST(Solver, agrees_with_plain_backtracking) {
  variants::Random random(1);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    variants::Synthesis wanted{.options = 16, .change_points = 1};
    wanted.constrained = true;
    const ConfigurationSpace space = variants::synthesize(wanted, seed).space;
    variants::PlainSolver plain(space);
    const auto solver = Solver::make(space);
    ASSERT_TRUE(solver);
    for (int i = 0; i < 50; ++i) {
      const Configuration any = variants::with_random_on(16, variants::below(random, 17), random);
      const std::vector<Literal> fixed = {{variants::below(random, 16), true},
                                          {variants::below(random, 16), false}};
      EXPECT_EQ(plain.valid(any), (*solver)->valid(any));
      const auto found = (*solver)->near(any, fixed);
      EXPECT_EQ(found.has_value(), plain.near(any, fixed).has_value());
      if (found) {
        EXPECT_TRUE(plain.valid(*found));
      }
    }
  }
}

TEST(Solver, samples_64_options_without_repeats) {
  variants::Synthesis wanted{.options = 64, .change_points = 1};
  wanted.constrained = true;
  const auto solver = Solver::make(variants::synthesize(wanted, 1).space);
  ASSERT_TRUE(solver);
  variants::Random random(1);
  for (const auto& found :
       {variants::distance_based(**solver, 30, random), variants::uniform(**solver, 30, random)}) {
    EXPECT_EQ(found.size(), 30U);
    EXPECT_EQ(std::set<Configuration>(found.begin(), found.end()).size(), 30U);
    for (const Configuration& configuration : found)
      EXPECT_TRUE((*solver)->valid(configuration));
  }
}

} // namespace
} // namespace dragnet::space
