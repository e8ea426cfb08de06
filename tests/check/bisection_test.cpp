#include "check/bisection.h"

#include "fakes/fake_search_lab.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

using bisect::Outcome;

// A history of commits named by their positions, with a step of 10 % somewhere. The invariant: what
// a search used does not exceed what it says it used.
class Bisections : public testing::Test {
protected:
  void SetUp() override {
    for (int i = 0; i <= 60; ++i)
      request.commits.push_back({CommitId{std::to_string(i)}, {}, {}, 0, {}, "commit"});
    request.prior.assign(60, 1);
    request.benchmark.name = "work";
    request.metric = "wall";
    request.budget = Seconds(1e6);
    lab.value = [this](const std::string& commit) -> std::optional<double> {
      std::normal_distribution<double> noise(1, deviation);
      return (std::stoi(commit) >= culprit ? 110 : 100) * noise(random);
    };
  }
  bisect::Finding search() {
    auto found = bisect_line(lab, request, progress);
    EXPECT_TRUE(found) << found.error().what;
    return found ? *found : bisect::Finding{};
  }
  static std::string named(const bisect::Finding& found) {
    return found.suspects.empty() ? "" : found.suspects.front().commits.back().id.text;
  }

  int culprit = 23;
  double deviation = 0.02;
  std::mt19937_64 random{7};
  fakes::FakeSearchLab lab;
  BisectionRequest request;
  SilentProgress progress;
};

TEST_F(Bisections, name_the_commit_with_the_step) {
  const auto found = search();
  EXPECT_EQ(found.outcome, Outcome::Found);
  EXPECT_EQ(named(found), "23");
  EXPECT_GE(found.suspects.front().probability, 0.95);
  EXPECT_LE(found.interval.low, 0.11);
  EXPECT_GE(found.interval.high, 0.09);
  EXPECT_EQ(found.effort.builds, lab.built.size());
  EXPECT_EQ(found.effort.rounds, lab.measured);
}

TEST_F(Bisections, go_on_where_they_were_interrupted) {
  for (std::size_t rounds = 1; rounds < 200; ++rounds) {
    lab.breaks_after = rounds;
    const auto found = bisect_line(lab, request, progress);
    if (!found || found->stopped_by)
      continue;
    EXPECT_EQ(named(*found), "23");
    EXPECT_LT(lab.measured, 200U);
    EXPECT_EQ(found->effort.rounds + found->effort.rounds_kept, lab.measured);
    return;
  }
  FAIL() << "it begins anew each time";
}

TEST_F(Bisections, measure_nothing_when_asked_again) {
  search();
  const std::size_t measured = lab.measured;
  const auto again = search();
  EXPECT_EQ(named(again), "23");
  EXPECT_EQ(lab.measured, measured);
  EXPECT_EQ(again.effort.seconds, 0);
}

TEST_F(Bisections, name_all_that_cannot_be_told_apart) {
  lab.broken = {"22", "23", "24"};
  const auto found = search();
  EXPECT_EQ(found.outcome, Outcome::OneOf);
  ASSERT_EQ(found.suspects.front().commits.size(), 4U);
  EXPECT_EQ(found.suspects.front().commits.front().id.text, "22");
  EXPECT_EQ(found.suspects.front().commits.back().id.text, "25");
  for (const auto& one : found.unusable)
    EXPECT_EQ(one.why, "does not build");
}

TEST_F(Bisections, treat_a_failing_benchmark_like_a_failing_build) {
  const auto sound = lab.value;
  lab.value = [sound](const std::string& commit) {
    return commit == "23" ? std::nullopt : sound(commit);
  };
  const auto found = search();
  EXPECT_EQ(found.outcome, Outcome::OneOf);
  EXPECT_EQ(found.suspects.front().commits.front().id.text, "23");
  EXPECT_EQ(found.suspects.front().commits.back().id.text, "24");
}

TEST_F(Bisections, say_that_the_ends_are_alike) {
  culprit = 1000;
  EXPECT_EQ(search().outcome, Outcome::EndsAlike);
  EXPECT_EQ(lab.built.size(), 2U) << "only the ends are built";
}

TEST_F(Bisections, need_two_rounds_for_the_ends_of_counts) {
  request.metric = "instructions";
  deviation = 0;
  const auto found = search();
  EXPECT_EQ(named(found), "23");
  EXPECT_TRUE(found.exact);
  EXPECT_NEAR(found.effect, 0.1, 1e-9);
}

TEST_F(Bisections, stop_when_the_budget_is_spent) {
  request.budget = Seconds(60);
  const auto found = search();
  EXPECT_FALSE(found.named());
  EXPECT_TRUE(found.effort.budget_spent);
  EXPECT_LT(found.effort.seconds, 60 + 10 + 3);
}

TEST_F(Bisections, refuse_an_end_that_fails) {
  lab.broken = {"60"};
  const auto unbuilt = bisect_line(lab, request, progress);
  ASSERT_FALSE(unbuilt);
  EXPECT_NE(unbuilt.error().what.find("the bad end 60"), std::string::npos);
}

} // namespace
} // namespace dragnet::check
