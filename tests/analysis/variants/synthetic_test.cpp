#include "analysis/variants/synthetic.h"

#include "analysis/variants/plain_solver.h"
#include "analysis/variants/spaces.h"
#include "model/configuration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace dragnet::variants {
namespace {

TEST(Synthesizer, draws_terms_and_changes_as_asked) {
  const System system = synthesize({.options = 16, .commits = 1000, .change_points = 5}, 3);
  EXPECT_EQ(system.terms.size(), 16U + 4 + 1);
  EXPECT_EQ(system.events.size(), 5U);
  EXPECT_TRUE(std::ranges::is_sorted(system.events, {}, &Event::commit));
  for (const Event& event : system.events) {
    EXPECT_GE(event.commit, 1U);
    EXPECT_LT(event.commit, 1000U);
    EXPECT_NE(event.before, event.after);
  }
}

TEST(Synthesizer, gives_the_same_for_the_same_seed) {
  const System one = synthesize({.options = 8, .change_points = 3}, 7);
  const System other = synthesize({.options = 8, .change_points = 3}, 7);
  const Configuration all(8, true);
  EXPECT_EQ(performance(one, all, 500), performance(other, all, 500));
  EXPECT_NE(performance(one, all, 500),
            performance(synthesize({.options = 8, .change_points = 3}, 8), all, 500));
}

TEST(Synthesizer, makes_each_change_visible_without_constraints_and_noise) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const System system = synthesize({.options = 8, .change_points = 5}, seed);
    for (const TrueAssociation& one : truth(system, 1e-9))
      EXPECT_TRUE(one.visible);
  }
}

TEST(Synthesizer, constrains_so_that_each_option_can_be_on_and_off) {
  Synthesis wanted{.options = 32, .change_points = 5, .most_interacting = 5};
  wanted.constrained = true;
  wanted.cancelling = 0.5;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const System system = synthesize(wanted, seed);
    PlainSolver solver(system.space);
    EXPECT_FALSE(system.space.groups.empty());
    for (std::size_t option = 0; option < 32; ++option)
      for (const bool value : {false, true}) {
        const std::vector<Literal> fixed = {{option, value}};
        EXPECT_TRUE(solver.near(Configuration(32), fixed));
      }
    for (const Term& term : system.terms)
      EXPECT_LE(term.options.count(), 5U);
  }
}

TEST(SimulatedLab, has_the_noise_that_was_asked_for) {
  System system = running_example();
  system.noise = 0.05;
  SimulatedLab lab(system, 1);
  double squares = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto cell = lab.measure(on(2, {}), 0);
    ASSERT_TRUE(cell);
    squares += std::pow((cell->value / 10) - 1, 2);
  }
  EXPECT_NEAR(std::sqrt(squares / 2000), 0.05, 0.004);
  EXPECT_EQ(lab.measurements(), 2000U);
}

} // namespace
} // namespace dragnet::variants
