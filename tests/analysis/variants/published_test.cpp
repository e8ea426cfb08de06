#include "analysis/variants/published.h"

#include "analysis/variants/naive.h"
#include "analysis/variants/plain_solver.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/score.h"
#include "analysis/variants/spaces.h"
#include "analysis/variants/synthetic.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace dragnet::variants {
namespace {

const System one_change = [] {
  System system{.commits = 1000, .space = free_space(8), .terms = {}, .events = {}};
  for (std::size_t option = 0; option < 8; ++option)
    system.terms.push_back({on(8, {option}), 1});
  system.terms.push_back({on(8, {}), 2});
  system.events = {{400, 3, 1, 3}};
  return system;
}();

TEST(Published, finds_the_option_and_the_commit_of_one_change) {
  PlainSolver space(one_change.space);
  SimulatedLab lab(one_change, 1);
  Random random(1);
  const auto answer = learn_published(lab, space, 1000, {}, random);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(std::ranges::any_of(answer->associations, [](const Association& one) {
    return one.option == 3U && one.commit >= 395 && one.commit <= 405;
  }));
  EXPECT_EQ(answer->measurements, lab.measurements());
  EXPECT_LE(answer->iterations, 30U);
}

TEST(Published, reports_nothing_where_nothing_changes) {
  System still = one_change;
  still.events.clear();
  PlainSolver space(still.space);
  SimulatedLab lab(still, 1);
  Random random(1);
  const auto answer = learn_published(lab, space, 1000, {}, random);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->associations.empty());
  EXPECT_FALSE(answer->terminated);
}

TEST(Published, keeps_to_its_limit_of_measurements) {
  PlainSolver space(one_change.space);
  SimulatedLab lab(one_change, 1);
  Random random(1);
  PublishedRule rule;
  rule.m_max = 100;
  ASSERT_TRUE(learn_published(lab, space, 1000, rule, random));
  EXPECT_EQ(lab.measurements(), 100U);
}

TEST(Naive, finds_all_of_the_running_example_in_its_own_words) {
  const System system = running_example();
  PlainSolver space(system.space);
  SimulatedLab lab(system, 1);
  const auto answer = learn_naively(lab, space, 100, {.relative = 1e-9});
  ASSERT_TRUE(answer);
  const std::vector<Association> expected = {{25, 0}, {50, 0}, {50, 1}, {80, std::nullopt}};
  EXPECT_EQ(answer->associations, expected);
}

} // namespace
} // namespace dragnet::variants
