#include "analysis/explain/run_report.h"

#include "analysis/explain/stack_tree.h"
#include "tests/analysis/explain/stack_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::explain {
namespace {

WatchedCommit with_parents(WatchedCommit commit, const std::vector<std::string>& parents) {
  for (const std::string& parent : parents)
    commit.commit.parents.push_back({parent});
  return commit;
}

TEST(RunReports, list_stacks_and_files_with_most) {
  const std::vector<Use> uses{{"main;log", 100, 1000, "written", "/tmp/log"},
                              {"main;save", 2, 800, "written", "/tmp/data"},
                              {"main;log", 100, 300, "written", "/tmp/other"},
                              {"main;load", 1, 5000, "read", "/tmp/in"}};
  const RunReport report = run_report(commit_of({uses, uses}), {}, 10);
  ASSERT_EQ(report.metrics.size(), 2U);
  const MetricReport& written = report.metrics[1];
  EXPECT_EQ(written.metric, "written");
  EXPECT_EQ(written.total.amount, 2100);
  EXPECT_EQ(written.stacks, 2U);
  EXPECT_EQ(text_of(written.most[0].frames), "main;log");
  EXPECT_EQ(written.most[0].use.amount, 1300);
  EXPECT_EQ(text_of(written.most_per_call[0].frames), "main;save");
  EXPECT_EQ(written.files[0].file, "/tmp/log");
  EXPECT_EQ(written.files.size(), 3U);
  EXPECT_FALSE(written.accounted.has_value());
}

TEST(RunReports, compare_with_what_the_kernel_accounted) {
  auto commit = commit_of({{{"main;log", 1, 10}}, {{"main;log", 1, 10}}});
  commit.runs[0].profile.accounted["written"] = 10;
  EXPECT_FALSE(run_report(commit, {}, 5).metrics.at(0).accounted.has_value());
  commit.runs[1].profile.accounted["written"] = 14;
  EXPECT_EQ(run_report(commit, {}, 5).metrics.at(0).accounted, 12);
}

TEST(Overviews, compare_each_commit_with_its_nearest_watched_ancestor) {
  const std::vector<Use> little{{"main;log", 10, 1000}};
  const std::vector<Use> much{{"main;log", 10, 9000}};
  // c is a branch from a, merged in d; b changed, and was not built from c. e was not watched.
  const std::vector<WatchedCommit> commits{commit_of({little, little}, "a"),
                                           with_parents(commit_of({much, much}, "b"), {"a"}),
                                           with_parents(commit_of({little, little}, "c"), {"a"}),
                                           with_parents(commit_of({much, much}, "d"), {"b", "c"}),
                                           with_parents(commit_of({}, "e"), {"d"}),
                                           with_parents(commit_of({little, little}, "f"), {"e"})};
  const Overview made = overview(commits, "written", Yardstick::Tested, {});
  ASSERT_EQ(made.points.size(), 6U);
  EXPECT_TRUE(made.points[0].compared_with.empty());
  EXPECT_EQ(made.points[1].findings, 1U);
  EXPECT_EQ(made.points[2].findings, 0U);
  EXPECT_EQ(made.points[2].compared_with, (std::vector<CommitId>{{"a"}}));
  EXPECT_EQ(made.points[3].findings, 0U);
  EXPECT_EQ(made.points[3].compared_with.size(), 2U);
  EXPECT_EQ(made.points[4].runs, 0U);
  EXPECT_EQ(made.points[5].compared_with, (std::vector<CommitId>{{"d"}}));
  EXPECT_EQ(made.points[5].findings, 1U);
  EXPECT_EQ(made.points[5].mean.amount, 1000);
}

TEST(MeanProfiles, have_the_mean_of_what_runs_did) {
  const auto commit = commit_of({{{"main;log", 10, 100}, {"main;rare", 1, 1}},
                                 {{"main;log", 20, 300}},
                                 {{"main;log", 30, 200}}});
  const StackProfile mean = mean_profile(telling_runs(commit));
  ASSERT_EQ(mean.uses.size(), 1U);
  EXPECT_EQ(mean.uses[0].calls, 20U);
  EXPECT_EQ(mean.uses[0].amount, 200U);
}

// The invariant of every tree: callees do not exceed their caller.
void expect_sums(const CallNode& node) {
  std::uint64_t before = 0;
  std::uint64_t now = 0;
  for (const CallNode& callee : node.callees) {
    before += callee.old_instructions;
    now += callee.new_instructions;
    expect_sums(callee);
  }
  EXPECT_LE(before, node.old_instructions);
  EXPECT_LE(now, node.new_instructions);
}

TEST(StackTrees, have_both_sides_of_real_stacks) {
  const StackProfile before = profile_of({{"main;a;put", 1, 100}, {"main;b;put", 1, 50}});
  const StackProfile now = profile_of({{"main;a;put", 1, 400}, {"main;c", 7, 20}});
  const CallNode tree = stack_tree(before, now, {}, {.metric = "written"});
  expect_sums(tree);
  EXPECT_EQ(tree.old_instructions, 150U);
  EXPECT_EQ(tree.new_instructions, 420U);
  const CallNode& main = tree.callees.at(0);
  ASSERT_EQ(main.callees.size(), 3U);
  EXPECT_EQ(main.callees[0].function, "a");
  EXPECT_EQ(main.callees[0].callees.at(0).old_instructions, 100U);
  EXPECT_EQ(main.callees[0].callees.at(0).new_instructions, 400U);
  const CallNode calls =
      stack_tree(before, now, {}, {.metric = "written", .quantity = Quantity::Calls});
  EXPECT_EQ(calls.new_instructions, 8U);
}

TEST(StackTrees, join_renamed_functions_and_end_at_the_deepest) {
  FunctionChange change;
  change.kind = ChangeKind::Renamed;
  change.binary = "app";
  change.old_name = "a";
  change.name = "x";
  Difference difference;
  difference.changes = {change};
  TreeQuestion question{.metric = "written"};
  question.limits.deepest = 2;
  const CallNode tree = stack_tree(profile_of({{"main;a;put", 1, 100}}),
                                   profile_of({{"main;x;put", 1, 200}}), difference, question);
  const CallNode& joined = tree.callees.at(0).callees.at(0);
  EXPECT_EQ(joined.function, "x");
  EXPECT_EQ(joined.old_instructions, 100U);
  EXPECT_EQ(joined.new_instructions, 200U);
  EXPECT_TRUE(joined.callees.empty());
}

} // namespace
} // namespace dragnet::explain
