#include "report/bisection.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::report {
namespace {

Commit commit(const std::string& id, const std::string& subject) {
  return {CommitId{id}, {}, {}, 0, {}, subject};
}

bisect::Finding some_finding() {
  bisect::Finding found;
  found.good = commit("good", "first");
  found.bad = commit("bad", "last");
  found.commits = 4;
  found.benchmark = "work";
  found.metric = metric_named("wall");
  found.outcome = bisect::Outcome::Found;
  found.effect = 0.123;
  found.interval = {0.11, 0.135};
  found.suspects = {{{commit("culprit", "slow")}, 0.97}, {{commit("other", "maybe")}, 0.02}};
  found.effort.runs = 30;
  return found;
}

TEST(Bisections, name_the_culprit_first) {
  const std::string text = bisection_text({"p", "1", {some_finding()}}, false);
  EXPECT_TRUE(
      text.starts_with("Culprit: culprit (slow), probability 97.0 %: +12.3 % [+11.0 %, +13.5 %]\n"))
      << text;
  EXPECT_TRUE(text.contains("other")) << text;
}

TEST(Bisections, do_not_round_up_to_certainty) {
  EXPECT_EQ(format_probability(0.99999), "> 99.9 %");
  EXPECT_EQ(format_probability(0.5), "50.0 %");
}

TEST(Bisections, say_why_members_of_a_group_are_not_told_apart) {
  auto found = some_finding();
  found.outcome = bisect::Outcome::OneOf;
  found.suspects.front().commits = {commit("broken", "oops"), commit("mended", "sorry")};
  found.unusable = {{commit("broken", "oops"), "does not build"}};
  const std::string text = bisection_text({"p", "1", {found}}, false);
  EXPECT_TRUE(text.starts_with("Culprit: one of 2 commits, probability 97.0 %")) << text;
  EXPECT_TRUE(text.contains("Not measured: broken (oops): does not build.")) << text;
}

TEST(Bisections, name_the_merge_where_its_branch_does_not_have_the_change) {
  auto branch = some_finding();
  branch.outcome = bisect::Outcome::EndsAlike;
  branch.suspects.clear();
  const std::string text = bisection_text({"p", "1", {some_finding(), branch}}, false);
  EXPECT_TRUE(text.starts_with("Culprit: culprit (slow)")) << text;
  EXPECT_TRUE(text.contains("culprit (slow) is a merge. Its branch from good to bad does not"))
      << text;
}

TEST(Bisections, say_when_nothing_was_found) {
  auto found = some_finding();
  found.suspects.clear();
  found.outcome = bisect::Outcome::EndsAlike;
  EXPECT_TRUE(bisection_text({"p", "1", {found}}, false).starts_with("No culprit: work wall"));
  EXPECT_EQ(bisect::exit_status(found), 3);
  found.effort.runs = 0;
  EXPECT_EQ(bisect::exit_status(found), 4);
}

} // namespace
} // namespace dragnet::report
