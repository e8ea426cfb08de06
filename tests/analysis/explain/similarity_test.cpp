#include "analysis/explain/similarity.h"

#include "tests/analysis/explain/stack_samples.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace dragnet::explain {
namespace {

// A stack that made so many calls with this average in each of the runs.
std::vector<std::vector<Use>> runs_with(const std::string& stack, std::uint64_t calls,
                                        const std::vector<std::uint64_t>& averages) {
  std::vector<std::vector<Use>> runs;
  for (const std::uint64_t average : averages)
    runs.push_back({{stack, calls, calls * average}});
  return runs;
}

std::vector<std::vector<Use>> together(std::vector<std::vector<Use>> a,
                                       const std::vector<std::vector<Use>>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i].insert(a[i].end(), b[i].begin(), b[i].end());
  return a;
}

SimilarityReport compared(WatchedCommit before, WatchedCommit now,
                          Yardstick yardstick = Yardstick::Tested) {
  Comparison comparison;
  comparison.bases = {std::move(before)};
  comparison.candidate = std::move(now);
  comparison.yardstick = yardstick;
  return compare_stacks(comparison);
}

// Tables I to III of Bezemer et al. (2014).
SimilarityReport tables() {
  const auto old_runs = together(runs_with("flushToDatabase", 50, {900, 1000, 1200, 1100, 1500}),
                                 runs_with("generateReport", 50, {1200, 1500, 1359, 1604, 1300}));
  const auto new_runs = together(together(runs_with("flushToDatabase", 50, {1000, 1200, 1100}),
                                          runs_with("generateReport", 50, {2200, 2000, 1600})),
                                 runs_with("writeCache", 500, {10000, 12000, 8000}));
  return compared(commit_of(old_runs), commit_of(new_runs), Yardstick::Published);
}

TEST(Published, ranks_as_the_tables_of_the_paper) {
  const SimilarityReport report = tables();
  ASSERT_EQ(report.rows.size(), 3U);
  EXPECT_EQ(text_of(report.rows[0].frames), "writeCache");
  EXPECT_EQ(text_of(report.rows[1].frames), "generateReport");
  EXPECT_EQ(text_of(report.rows[2].frames), "flushToDatabase");
}

TEST(Published, has_the_numbers_of_the_tables_to_the_digit) {
  const SimilarityReport report = tables();
  const Spectrum& cache = report.rows[0].spectrum;
  EXPECT_EQ(cache.similarity, 0);
  EXPECT_EQ(cache.calls, 500);
  EXPECT_EQ(cache.calls_difference, 500);
  EXPECT_EQ(cache.impact, 10000);
  EXPECT_EQ(cache.total_impact, 5000000);
  EXPECT_FALSE(cache.range.has_value());
  const Spectrum& made = report.rows[1].spectrum;
  EXPECT_NEAR(made.similarity, 0.57735, 1e-5);
  EXPECT_EQ(made.calls, 50);
  EXPECT_EQ(made.calls_difference, 0);
  EXPECT_EQ(made.impact, 496);
  EXPECT_EQ(made.total_impact, 24800);
  ASSERT_TRUE(made.range.has_value());
  EXPECT_EQ(made.range->high - made.range->low, 404);
  const Spectrum& flush = report.rows[2].spectrum;
  EXPECT_EQ(flush.similarity, 1);
  EXPECT_EQ(flush.impact, 0);
  EXPECT_EQ(flush.total_impact, 0);
  ASSERT_TRUE(flush.range.has_value());
  EXPECT_EQ(flush.range->low, 900);
  EXPECT_EQ(flush.range->high, 1500);
  for (const SimilarityRow& row : report.rows) {
    EXPECT_EQ(row.spectrum.runs, 3U);
    EXPECT_EQ(row.spectrum.of, 3U);
  }
}

TEST(Published, has_a_negative_impact_below_the_range) {
  const auto report = compared(commit_of(runs_with("f", 10, {100, 120})),
                               commit_of(runs_with("f", 10, {80, 110})), Yardstick::Published);
  EXPECT_EQ(report.rows.at(0).spectrum.impact, -20);
  EXPECT_EQ(report.rows.at(0).spectrum.total_impact, -200);
}

// Random profiles, the same for the same seed.
std::vector<std::vector<Use>> random_runs(std::uint64_t seed, std::size_t runs) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Use>> made(runs);
  for (auto& uses : made)
    for (int i = 0; i < 20; ++i)
      if (random() % 4 != 0)
        uses.push_back({"main;f" + std::to_string(random() % 5) + ";g" + std::to_string(i),
                        1 + (random() % 100), random() % 10000, "written",
                        "file" + std::to_string(random() % 3)});
  return made;
}

TEST(Similarity, is_1_for_identical_profiles) {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const Yardstick yardstick : {Yardstick::Published, Yardstick::Tested}) {
      const auto runs = random_runs(seed, 1 + (seed % 5));
      const auto report = compared(commit_of(runs), commit_of(runs), yardstick);
      EXPECT_EQ(findings(report), 0U);
      for (const SimilarityRow& row : report.rows)
        EXPECT_EQ(row.similarity, 1);
    }
}

TEST(Similarity, has_totals_that_equal_those_of_the_uses) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto runs = random_runs(seed, 3);
    const auto report = compared(commit_of(runs), commit_of(random_runs(seed + 1000, 3)));
    double calls = 0;
    double amount = 0;
    for (const auto& uses : runs)
      for (const Use& use : uses) {
        calls += static_cast<double>(use.calls);
        amount += static_cast<double>(use.amount);
      }
    EXPECT_NEAR(report.totals.at("written").before.calls, calls / 3, 1e-6);
    EXPECT_NEAR(report.totals.at("written").before.amount, amount / 3, 1e-6);
  }
}

TEST(Spectrum, has_ranges_that_never_shrink_as_runs_are_added) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<RunUse> runs;
    std::optional<stats::Interval> last;
    for (int i = 0; i < 10; ++i) {
      runs.push_back({static_cast<double>(random() % 3), static_cast<double>(random() % 1000)});
      const auto range = range_of(runs);
      if (last) {
        ASSERT_TRUE(range.has_value());
        EXPECT_LE(range->low, last->low);
        EXPECT_GE(range->high, last->high);
      }
      last = range;
    }
  }
}

TEST(Similarity, sees_more_calls_of_the_same_size_that_the_published_one_does_not) {
  const auto before = commit_of(runs_with("main;emit", 100, {64, 64}));
  const auto now = commit_of(runs_with("main;emit", 300, {64, 64}));
  EXPECT_EQ(findings(compared(before, now, Yardstick::Published)), 0U);
  const auto report = compared(before, now);
  ASSERT_EQ(findings(report), 1U);
  EXPECT_TRUE(report.rows[0].judgement.calls.exact);
  EXPECT_EQ(report.rows[0].similarity, 0);
}

TEST(Similarity, needs_one_run_a_side_where_everything_repeats) {
  const auto report = compared(commit_of(runs_with("main;emit", 100, {64})),
                               commit_of(runs_with("main;emit", 100, {96})));
  EXPECT_EQ(findings(report), 1U);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_TRUE(report.notes[0].starts_with("A side has one run only"));
}

TEST(Similarity, says_when_runs_that_differ_are_too_few) {
  const auto few = compared(commit_of(runs_with("main;emit", 100, {64, 70})),
                            commit_of(runs_with("main;emit", 100, {200, 230})));
  EXPECT_EQ(findings(few), 0U);
  ASSERT_EQ(few.notes.size(), 1U);
  EXPECT_TRUE(few.notes[0].starts_with("Runs differ from each other"));
  const auto enough = compared(commit_of(runs_with("main;emit", 100, {64, 70, 66, 65, 69})),
                               commit_of(runs_with("main;emit", 100, {200, 230, 220, 210, 214})));
  EXPECT_EQ(findings(enough), 1U);
  EXPECT_TRUE(enough.notes.empty());
}

TEST(Similarity, takes_functions_without_names_for_the_same_wherever_they_lie) {
  const auto report = compared(commit_of(runs_with("main;0x1234;/usr/bin/sort:0x77", 5, {10, 10})),
                               commit_of(runs_with("main;0x1250;/usr/bin/sort:0x99", 5, {10, 10})));
  EXPECT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(findings(report), 0U);
}

TEST(Similarity, takes_renamed_wrapped_inlined_and_moved_stacks_for_the_same) {
  const std::vector<Use> before{{"main;parse;load;/lib/libc.so:write", 10, 1000},
                                {"main;run;emit;/lib/libc.so:write", 50, 5000},
                                {"main;run;log;/lib/libc.so:write", 20, 3000},
                                {"main;finish;close;/lib/libc.so:write", 5, 700}};
  const std::vector<Use> now{{"main;parse_all;load;/lib/libc.so:write", 10, 1000},
                             {"main;run;guard;emit;/lib/libc.so:write", 50, 5000},
                             {"main;=run;log.isra.0;/lib/libc.so:writev", 20, 3000},
                             {"main;finish;libx.so:close;/lib/libc.so:write", 5, 700}};
  const auto report = compared(commit_of({before, before}), commit_of({now, now}));
  EXPECT_EQ(report.rows.size(), 4U);
  EXPECT_EQ(findings(report), 0U);
  const auto published =
      compared(commit_of({before, before}), commit_of({now, now}), Yardstick::Published);
  EXPECT_EQ(findings(published), 4U);
}

TEST(Similarity, follows_the_renames_of_the_builds) {
  Comparison comparison;
  comparison.bases = {commit_of(runs_with("main;a;b", 10, {100, 100}))};
  comparison.candidate = commit_of(runs_with("main;x;y", 10, {500, 500}));
  FunctionChange a;
  a.kind = ChangeKind::Renamed;
  a.binary = "app";
  a.old_name = "a";
  a.name = "x";
  FunctionChange b = a;
  b.old_name = "b";
  b.name = "y";
  comparison.difference.changes = {a, b};
  const auto report = compare_stacks(comparison);
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].likeness, Likeness::Same);
  EXPECT_EQ(text_of(report.rows[0].old_frames), "main;a;b");
  EXPECT_EQ(report.rows[0].judgement.per_call.before, 100);
}

TEST(Similarity, compares_with_several_predecessors) {
  Comparison comparison;
  comparison.bases = {commit_of(runs_with("main;emit", 10, {100, 100})),
                      commit_of(runs_with("main;emit", 10, {200, 200}), "22")};
  comparison.candidate = commit_of(runs_with("main;emit", 10, {200, 200}));
  EXPECT_EQ(findings(compare_stacks(comparison)), 0U);
  comparison.bases.pop_back();
  EXPECT_EQ(findings(compare_stacks(comparison)), 1U);
}

TEST(Similarity, ranks_several_metrics_together) {
  const std::vector<Use> before{{"main;emit", 10, 1000}, {"main;read", 10, 1000, "read"}};
  const std::vector<Use> now{{"main;emit", 10, 1100}, {"main;read", 10, 4000, "read"}};
  const auto report = compared(commit_of({before, before}), commit_of({now, now}));
  ASSERT_EQ(findings(report), 2U);
  EXPECT_EQ(report.rows[0].metric, "read");
}

TEST(Similarity, leaves_out_runs_that_crashed_and_tells_them) {
  auto now = commit_of(runs_with("main;emit", 10, {100, 100, 10}));
  now.runs[2].run.outcome = RunOutcome::Crashed;
  now.runs[2].run.status = 11;
  now.runs[2].run.log = "oops";
  const auto report = compared(commit_of(runs_with("main;emit", 10, {100, 100, 100})), now);
  EXPECT_EQ(findings(report), 0U);
  EXPECT_EQ(report.new_runs, 2U);
  ASSERT_EQ(report.unfinished.size(), 1U);
  EXPECT_EQ(report.unfinished[0].number, 3U);
  EXPECT_EQ(report.unfinished[0].status, 11);
}

// All stacks through `store` grow; another one through `log` does not.
TEST(Causes, are_the_deepest_functions_that_all_changed_stacks_share) {
  const std::vector<Use> before{{"main;a;store;put", 10, 1000},
                                {"main;b;store;put", 10, 1000},
                                {"main;a;log", 10, 1000},
                                {"main;b;log", 10, 1000}};
  auto now = before;
  now[0].amount = now[1].amount = 1500;
  const auto report = compared(commit_of({before, before}), commit_of({now, now}));
  ASSERT_EQ(report.causes.size(), 1U);
  EXPECT_EQ(report.causes[0].function.name, "put");
  EXPECT_EQ(report.causes[0].rows, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(report.causes[0].similarity, 1);
}

TEST(Causes, are_high_up_where_everything_below_changed) {
  const std::vector<Use> before{
      {"main;a;store", 10, 1000}, {"main;a;log", 10, 1000}, {"main;b;store", 10, 1000}};
  auto now = before;
  for (const std::size_t i : {0U, 1U}) {
    now[i].calls *= 2;
    now[i].amount *= 2;
  }
  const auto report = compared(commit_of({before, before}), commit_of({now, now}));
  ASSERT_EQ(report.causes.size(), 1U);
  EXPECT_EQ(report.causes[0].function.name, "a");
}

TEST(Causes, are_functions_whose_code_changed_where_that_is_known) {
  Comparison comparison;
  const std::vector<Use> before{{"main;a;store;put", 10, 1000}, {"main;b;log", 10, 1000}};
  auto now = before;
  now[0].amount = 3000;
  comparison.bases = {commit_of({before, before})};
  comparison.candidate = commit_of({now, now});
  FunctionChange change;
  change.binary = "app";
  change.name = "a";
  change.edited = 3;
  comparison.difference.changes = {change};
  const auto report = compare_stacks(comparison);
  ASSERT_EQ(report.causes.size(), 1U);
  EXPECT_EQ(report.causes[0].function.name, "a");
  EXPECT_TRUE(report.causes[0].code_changed);
}

TEST(Causes, are_inlined_functions_whose_code_changed) {
  Comparison comparison;
  const std::vector<Use> before{{"main;a;=store;put", 10, 1000}, {"main;b;log", 10, 1000}};
  auto now = before;
  now[0].amount = 3000;
  comparison.bases = {commit_of({before, before})};
  comparison.candidate = commit_of({now, now});
  FunctionChange change;
  change.binary = "app";
  change.name = "a";
  change.edited = 3;
  change.inlined = {"store"};
  comparison.difference.changes = {change};
  const auto report = compare_stacks(comparison);
  ASSERT_EQ(report.causes.size(), 1U);
  EXPECT_EQ(report.causes[0].function.name, "store");
  EXPECT_TRUE(report.causes[0].code_changed);
}

// A loop that a commit puts before a call takes most of what it wrote.
TEST(SimilarityReport, has_the_stack_with_changed_code_first_of_equal_effects) {
  const std::vector<Use> before{{"main;commit;frame;write", 400, 800000}, {"main;log", 10, 1000}};
  const std::vector<Use> now{{"main;commit;frame;write", 400, 200000},
                             {"main;commit;frame;pieces;write", 300, 600000},
                             {"main;log", 10, 1000}};
  const auto report = compared(commit_of({before, before}), commit_of({now, now}));
  ASSERT_EQ(findings(report), 2U);
  EXPECT_EQ(text_of(report.rows[0].frames), "main;commit;frame;pieces;write");
  EXPECT_EQ(report.rows[0].judgement.effect, report.rows[1].judgement.effect);
}

// Two stacks of the same functions of the build may be one trail; each metric shows its own.
TEST(SimilarityReport, shows_the_stack_of_the_metric) {
  const std::vector<Use> before{{"main;put;/libc:write", 1, 10, "written"},
                                {"main;put;/libc:malloc", 1, 4096, "allocated"}};
  const std::vector<Use> now{{"main;put;/libc:write", 100, 1000, "written"},
                             {"main;put;/libc:malloc", 1, 4096, "allocated"}};
  Comparison comparison;
  comparison.bases = {commit_of({before, before})};
  comparison.candidate = commit_of({now, now});
  const auto report = compare_stacks(comparison);
  ASSERT_EQ(findings(report), 1U);
  EXPECT_EQ(text_of(report.rows.front().frames), "main;put;write");
  EXPECT_EQ(text_of(report.rows.front().old_frames), "main;put;write");
}

} // namespace
} // namespace dragnet::explain
