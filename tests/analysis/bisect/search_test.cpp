#include "analysis/bisect/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace dragnet::bisect {
namespace {

// A history with one step, and who measures it. The invariants: what is asked for can be done, is
// not known already, and probabilities are such.
class Searches : public testing::Test {
protected:
  double measure(std::size_t position) {
    const double level = levels.contains(position) ? levels[position]
                         : position >= culprit     ? std::log1p(step)
                                                   : 0;
    return std::exp(level + machine) * std::max(0.01, 1 + (spread * noise(random)));
  }
  void carry_out(Search& search, const Step& wanted) {
    if (wanted.candidate && broken.contains(*wanted.candidate)) {
      EXPECT_TRUE(wanted.build);
      EXPECT_TRUE(known_broken.insert(*wanted.candidate).second) << "tried again";
      search.cannot_build(*wanted.candidate);
      return;
    }
    for (std::size_t i = 0; i < wanted.rounds; ++i) {
      machine += drift;
      search.observe({.good = measure(0),
                      .bad = measure(commits),
                      .candidate = wanted.candidate,
                      .value = wanted.candidate ? measure(*wanted.candidate) : 0});
    }
  }
  Answer find() {
    Search search(prior.empty() ? std::vector<double>(commits, 1.0) : prior, rule);
    for (Step wanted = search.next(); wanted.rounds > 0; wanted = search.next())
      carry_out(search, wanted);
    const Answer answer = search.answer();
    double total = 0;
    for (const Group& group : answer.groups)
      total += group.probability;
    EXPECT_NEAR(total, 1, 1e-9);
    EXPECT_LE(answer.interval.low, answer.interval.high);
    EXPECT_EQ(answer.named.has_value(),
              answer.outcome == Outcome::Found || answer.outcome == Outcome::OneOf);
    EXPECT_EQ(answer.unbuildable, known_broken.size());
    return answer;
  }

  std::size_t commits = 200;
  std::size_t culprit = 137;
  double step = 0.1;
  double spread = 0.02;
  double drift = 0;
  double machine = 0;
  std::set<std::size_t> broken;
  std::set<std::size_t> known_broken;
  std::map<std::size_t, double> levels; // of odd commits
  std::vector<double> prior;
  Rule rule;
  std::mt19937_64 random{4};
  std::normal_distribution<double> noise;
};

TEST_F(Searches, names_the_culprit_its_probability_and_its_effect) {
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
  EXPECT_GE(answer.named->probability, 0.95);
  EXPECT_NEAR(answer.effect, 0.1, 0.02);
  EXPECT_LE(answer.interval.high - answer.interval.low, 0.03);
  EXPECT_LE(answer.tried, 10U);
  EXPECT_LE(answer.ends_p_value, 0.05);
}

TEST_F(Searches, finds_a_speed_up_too) {
  step = -0.08;
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
  EXPECT_LT(answer.interval.high, 0);
}

TEST_F(Searches, says_that_the_ends_do_not_differ) {
  culprit = commits + 1;
  random.seed(5); // not one of the few where the ends look different for a while
  const Answer answer = find();
  EXPECT_EQ(answer.outcome, Outcome::EndsAlike);
  EXPECT_EQ(answer.tried, 0U);
}

TEST_F(Searches, gives_up_on_ends_that_cannot_be_told_apart) {
  step = 0.01;
  spread = 0.2;
  rule.most_rounds = 40;
  const Answer answer = find();
  EXPECT_EQ(answer.outcome, Outcome::Undecided);
  EXPECT_EQ(answer.rounds, 40U);
}

TEST_F(Searches, follows_a_machine_that_drifts) {
  drift = 0.02;
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
}

TEST_F(Searches, names_the_commits_that_cannot_be_told_apart) {
  for (std::size_t position = 130; position < 140; ++position)
    broken.insert(position);
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::OneOf);
  EXPECT_EQ(answer.named->first, 130U);
  EXPECT_EQ(answer.named->last, 140U);
  EXPECT_GE(answer.unbuildable, 10U);
}

TEST_F(Searches, ends_although_nothing_builds) {
  commits = 12;
  culprit = 5;
  for (std::size_t position = 1; position < commits; ++position)
    broken.insert(position);
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::OneOf);
  EXPECT_EQ(answer.named->first, 1U);
  EXPECT_EQ(answer.named->last, 12U);
}

TEST_F(Searches, builds_nothing_if_there_is_one_commit) {
  commits = 1;
  culprit = 1;
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.tried, 0U);
}

TEST_F(Searches, lets_a_prior_tell_unbuildable_commits_apart) {
  prior.assign(commits, 1e-6);
  prior[136] = 1;
  for (std::size_t position = 135; position < 140; ++position)
    broken.insert(position);
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
}

TEST_F(Searches, overrules_a_prior_that_is_wrong) {
  prior.assign(commits, 1);
  prior[136] = 0.05;
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
}

TEST_F(Searches, is_not_wrecked_by_one_commit_that_is_odd) {
  levels[100] = std::log1p(step); // the first that is looked at, and it looks bad
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
}

TEST_F(Searches, works_without_noise) {
  spread = 0;
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
  EXPECT_NEAR(answer.effect, 0.1, 1e-3);
}

TEST_F(Searches, needs_few_rounds_for_counts) {
  spread = 0;
  rule.nature = Nature::Count;
  for (std::size_t position = 1; position < commits; ++position) // each commit moves it a little
    levels[position] = (position >= culprit ? std::log1p(step) : 0) + (0.003 * noise(random));
  const Answer answer = find();
  ASSERT_EQ(answer.outcome, Outcome::Found);
  EXPECT_EQ(answer.named->first, 137U);
  EXPECT_LE(answer.rounds, 16U);
}

TEST_F(Searches, says_of_counts_at_once_that_they_are_alike) {
  spread = 0;
  culprit = commits + 1;
  rule.nature = Nature::Count;
  const Answer answer = find();
  EXPECT_EQ(answer.outcome, Outcome::EndsAlike);
  EXPECT_EQ(answer.rounds, 2U);
}

TEST_F(Searches, survives_spikes) {
  rule.most_rounds = 2000;
  std::size_t right = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    random.seed(seed);
    Search search(std::vector<double>(commits, 1.0), rule);
    for (Step wanted = search.next(); wanted.rounds > 0; wanted = search.next())
      for (std::size_t i = 0; i < wanted.rounds; ++i) {
        const auto spiky = [&](std::size_t position) {
          return measure(position) * (random() % 10 == 0 ? 3 : 1);
        };
        search.observe({.good = spiky(0),
                        .bad = spiky(commits),
                        .candidate = wanted.candidate,
                        .value = wanted.candidate ? spiky(*wanted.candidate) : 0});
      }
    const Answer answer = search.answer();
    right += answer.outcome == Outcome::Found && answer.named->first == culprit ? 1 : 0;
  }
  EXPECT_GE(right, 18U);
}

TEST_F(Searches, is_right_as_often_as_it_says) {
  spread = 0.04;
  step = 0.05;
  std::size_t right = 0;
  constexpr std::size_t searches = 100;
  for (std::size_t i = 0; i < searches; ++i) {
    culprit = 1 + (random() % commits);
    const Answer answer = find();
    right += answer.named && answer.named->holds(culprit) ? 1 : 0;
  }
  EXPECT_GE(right, 89U); // 95 less three standard errors
}

TEST_F(Searches, goes_on_where_it_was_when_told_the_same) {
  spread = 0.05;
  step = 0.03;
  Search search(std::vector<double>(commits, 1.0), rule);
  std::vector<Round> told;
  for (Step wanted = search.next(); wanted.rounds > 0 && told.size() < 300; wanted = search.next())
    for (std::size_t i = 0; i < wanted.rounds; ++i) {
      told.push_back({.good = measure(0),
                      .bad = measure(commits),
                      .candidate = wanted.candidate,
                      .value = wanted.candidate ? measure(*wanted.candidate) : 0});
      search.observe(told.back());
    }
  Search again(std::vector<double>(commits, 1.0), rule);
  for (const Round& round : told)
    again.observe(round);
  const Answer first = search.answer();
  const Answer second = again.answer();
  EXPECT_EQ(first.outcome, second.outcome);
  EXPECT_EQ(first.groups.front().first, second.groups.front().first);
  EXPECT_NEAR(first.groups.front().probability, second.groups.front().probability, 0.02);
}

TEST(OrderOfRound, is_fair_and_repeats) {
  std::map<std::array<Place, 3>, int> seen;
  for (std::size_t round = 0; round < 6000; ++round) {
    ++seen[order_of_round(7, round)];
    EXPECT_EQ(order_of_round(7, round), order_of_round(7, round));
  }
  ASSERT_EQ(seen.size(), 6U);
  for (const auto& [order, count] : seen)
    EXPECT_NEAR(count, 1000, 100);
}

} // namespace
} // namespace dragnet::bisect
