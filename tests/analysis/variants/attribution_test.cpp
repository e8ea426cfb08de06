#include "analysis/variants/attribution.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/spaces.h"
#include "model/configuration.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <initializer_list>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr double telling = 7;

// What is known about one change of a program with six options; the invariant: probabilities sum
// to 1.
class Attributions : public testing::Test {
protected:
  void said(std::initializer_list<std::size_t> options, bool changed) {
    testimonies.push_back({literals_of(on(6, options)), changed ? telling : -telling});
  }
  Attribution weigh(const Configuration& witness) {
    Attribution attribution(witness, testimonies, {}, random);
    double sum = 0;
    for (const Hypothesis& hypothesis : attribution.hypotheses())
      sum += hypothesis.probability;
    EXPECT_NEAR(sum, 1, 1e-9);
    return attribution;
  }
  std::vector<Testimony> testimonies;
  Random random{1};
  const Configuration all{6, true};
};

TEST_F(Attributions, name_the_one_option_without_which_nothing_changes) {
  said({0, 1, 2, 3, 4, 5}, true);
  said({0, 1, 2}, true);
  said({2, 4}, true);
  said({0, 1, 3, 4, 5}, false);
  const Attribution attribution = weigh(all);
  EXPECT_EQ(attribution.best().literals, std::vector<std::size_t>{2});
  EXPECT_GT(attribution.best().probability, 0.95);
  EXPECT_GT(involves(attribution.hypotheses(), 2), 0.99);
  EXPECT_GT(attribution.affects(literals_of(on(6, {2, 5}))), 0.9);
  EXPECT_LT(attribution.affects(literals_of(on(6, {1, 5}))), 0.01);
}

TEST_F(Attributions, tell_an_interaction_from_its_parts) {
  said({0, 1, 2, 3, 4, 5}, true);
  said({1, 4}, true);
  said({0, 2, 3, 4, 5}, false);
  said({0, 1, 2, 3, 5}, false);
  const std::vector<std::size_t> both = {1, 4};
  EXPECT_EQ(weigh(all).best().literals, both);
}

TEST_F(Attributions, say_that_all_configurations_change) {
  said({0, 1, 2, 3, 4, 5}, true);
  said({}, true);
  said({3}, true);
  EXPECT_TRUE(weigh(all).best().literals.empty());
  EXPECT_GT(weigh(all).best().probability, 0.95);
}

TEST_F(Attributions, see_that_an_option_must_be_off) {
  said({0}, true);
  said({0, 1, 2, 3, 4}, true);
  said({0, 1, 5}, false);
  said({5}, false);
  said({}, true);
  said({2}, true);
  const Attribution attribution = weigh(on(6, {0}));
  EXPECT_EQ(attribution.best().literals, std::vector<std::size_t>{6 + 5});
  const Condition condition = condition_of(attribution.best(), 6);
  EXPECT_TRUE(condition.on.empty());
  EXPECT_EQ(condition.off, std::vector<std::size_t>{5});
}

TEST_F(Attributions, stay_open_where_nothing_was_said) {
  said({0, 1, 2, 3, 4, 5}, true);
  EXPECT_LT(weigh(all).best().probability, 0.3);
}

TEST(MostCredible, is_the_best_or_what_most_have_in_common) {
  const std::vector<Hypothesis> sure = {{{2}, 0.7}, {{2, 5}, 0.3}};
  EXPECT_EQ(most_credible(sure, 4).literals, std::vector<std::size_t>{2});
  const std::vector<Hypothesis> torn = {{{2, 5}, 0.3}, {{2, 6}, 0.3}, {{2, 7}, 0.3}, {{2}, 0.1}};
  EXPECT_EQ(most_credible(torn, 4).literals, std::vector<std::size_t>{2});
  EXPECT_DOUBLE_EQ(most_credible(torn, 4).probability, 0.1);
  const std::vector<Hypothesis> apart = {{{1}, 0.4}, {{2}, 0.3}, {{3}, 0.3}};
  EXPECT_EQ(most_credible(apart, 4).literals, std::vector<std::size_t>{1});
}

} // namespace
} // namespace dragnet::variants
