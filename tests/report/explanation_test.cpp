#include "report/explanation.h"

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "fakes/source_folder.h"
#include "report/contents.h"
#include "tests/analysis/explain/stack_samples.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::report {
namespace {

using explain::commit_of;
using explain::Use;
using explain::Yardstick;

const std::vector<Use> before{
    {"main@10;run@20;Store@30;flush@40;/lib/libc.so.6:write", 10, 40960, "written", "/tmp/data"},
    {"main@11;log@50;/lib/libc.so.6:write", 20, 2000, "written", "/tmp/log"}};

// The commit flushes after each record.
std::vector<Use> flushing() {
  auto now = before;
  now[0].calls = 1000;
  return now;
}

WatchedCommit commit(const std::vector<Use>& uses, const std::string& id,
                     const std::string& subject) {
  WatchedCommit made = commit_of({uses, uses}, id);
  made.commit.subject = subject;
  return made;
}

Explanation compared(const WatchedCommit& old_commit, const WatchedCommit& new_commit,
                     Yardstick yardstick = Yardstick::Tested) {
  explain::Comparison comparison;
  comparison.bases = {old_commit};
  comparison.candidate = new_commit;
  comparison.yardstick = yardstick;
  ExplainedBenchmark one;
  one.benchmark = "insert";
  one.similarity = explain::compare_stacks(comparison);
  return {.project = "larder", .version = "1.0", .benchmarks = {one}, .notes = {}};
}

// The invariant of every text: no line ends with a blank, nothing steers a terminal, and it ends
// with a newline.
std::string text(const Explanation& explanation, const ExplanationLook& look = {}) {
  const std::string made = explanation_text(explanation, look);
  EXPECT_TRUE(made.ends_with("\n"));
  for (const auto& line : lines(made)) {
    EXPECT_FALSE(line.ends_with(' ')) << "[" << line << "]";
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
  return made;
}

TEST(ExplanationText, names_the_stack_that_changed) {
  const auto made = compared(commit(before, "1111111111111111", "Old one"),
                             commit(flushing(), "2222222222222222", "Flush after each record"));
  EXPECT_EQ(text(made),
            R"(insert: 1 of 2 stacks changed; the change arises in flush (src/app.cpp:40)
  old  1111111111 Old one, 2 runs of 1.00 s
  new  2222222222 Flush after each record, 2 runs of 1.00 s
  written: 42.0 KiB a run as before; 30 -> 1.02 k calls (x 34.0)

#    SC   calls  calls diff     impact  total impact  range diff  runs  of the run's total  stack
1  0.00  1.00 k        +990  -3.96 KiB     -3.87 MiB         0 B   2/2    +97.1 % of calls  main > run > Store > flush

1. written: 40.0 KiB a run as before; 10 -> 1.00 k calls (x 100.0); 4.00 KiB -> 41 B a call (-99.0 %)
     main (src/app.cpp:10)
     run (src/app.cpp:20)
     Store (src/app.cpp:30)
   > flush (src/app.cpp:40) <- the change arises here
     write (libc.so.6)
   file /tmp/data: 40.0 KiB a run as before

SC: 1 as before, 0 in no run as before. calls, calls diff: of a run, and against before.
impact: how far a call lies outside of what calls did before. total impact: that times calls.
range diff: how far apart calls were before. runs: in which the stack did anything, of all.
)");
}

TEST(ExplanationText, counts_calls_where_there_are_no_amounts) {
  const std::vector<Use> few{{"main;sync", 3, 0, "fsync", "/tmp/data"}};
  const std::vector<Use> many{{"main;sync", 30, 0, "fsync", "/tmp/data"}};
  auto made = compared(commit(few, "1111111111111111", "Old one"),
                       commit(many, "2222222222222222", "New one"));
  made.benchmarks[0].runs = explain::run_report(commit(few, "1111111111111111", "Old one"), {}, 5);
  const std::string shown = text(made);
  EXPECT_TRUE(shown.contains("\n  fsync: 3 -> 30 calls a run (+900 %)\n")) << shown;
  EXPECT_TRUE(shown.contains("\n1. fsync: 3 -> 30 calls a run (+900 %)\n")) << shown;
  EXPECT_TRUE(shown.contains("\n   file /tmp/data\n")) << shown;
  EXPECT_TRUE(shown.contains("\nfsync: 3 calls a run, by 1 stack\n\nstacks that did most\n"
                             "  share  calls  runs  stack\n"
                             "100.0 %      3     2  main > sync\n\nfiles with most\n"
                             "  share  calls  file\n"
                             "100.0 %      3  /tmp/data\n"))
      << shown;
}

TEST(ExplanationText, says_when_nothing_changed) {
  const auto made = compared(commit(before, "1111111111111111", "Old one"),
                             commit(before, "2222222222222222", "New one"));
  EXPECT_EQ(text(made), R"(insert: no change in 2 stacks
  old  1111111111 Old one, 2 runs of 1.00 s
  new  2222222222 New one, 2 runs of 1.00 s
  written: 42.0 KiB a run as before; 30 calls as before
)");
}

TEST(ExplanationText, shows_all_rows_of_the_published_method) {
  const auto made =
      compared(commit(before, "1111111111111111", "Old one"),
               commit(flushing(), "2222222222222222", "New one"), Yardstick::Published);
  EXPECT_TRUE(text(made, {.stacks = 0}).contains(R"(
#    SC   calls  calls diff     impact  total impact  range diff  runs  stack
1  0.00  1.00 k        +990  -3.96 KiB     -3.87 MiB         0 B   2/2  main > run > Store > flush
2  1.00      20           0        0 B           0 B         0 B   2/2  main > log

SC: 1 as before)"));
}

TEST(ExplanationText, warns_of_runs_that_crashed) {
  WatchedCommit crashed = commit(before, "2222222222222222", "New one");
  crashed.runs[1].run.outcome = RunOutcome::Crashed;
  crashed.runs[1].run.status = 11;
  crashed.runs[1].run.seconds = 0.5;
  crashed.runs[1].run.log = "reading\n\nfatal: \x1b[31mno such table\n";
  const std::string made = text(compared(commit(before, "1111111111111111", "Old one"), crashed));
  EXPECT_TRUE(made.contains(
      "\nRun 2 of 2222222222 crashed (signal 11) after 500 ms and printed at its end:\n"
      "  | reading\n  |\n  | fatal:  [31mno such table\n"))
      << made;
  crashed.runs[1].run.log.clear();
  EXPECT_TRUE(text(compared(commit(before, "1111111111111111", "Old one"), crashed))
                  .contains("after 500 ms and printed nothing\n"));
}

TEST(ExplanationText, is_safe_with_hostile_names) {
  auto uses = flushing();
  uses[0].stack = "main;evil\x1b[2J\nname;flush";
  uses[0].file = "/tmp/\x1b]0;x\x07";
  auto made = compared(commit(before, "1111111111111111", "sub\x1bject\n"),
                       commit(uses, "2222222222222222", "New"));
  made.benchmarks[0].benchmark = "in\nsert";
  made.benchmarks[0].hunks = {{{"app", "flush"}, "@@ -1 +1 @@\n-a\n+b  \n\n"}};
  EXPECT_TRUE(text(made).contains("       | +b\n"));
}

TEST(ExplanationText, reports_runs) {
  ExplainedBenchmark one;
  one.benchmark = "insert";
  auto watched = commit(before, "1111111111111111", "Old one");
  for (auto& run : watched.runs)
    run.profile.accounted["written"] = 42960;
  one.runs = explain::run_report(watched, {}, 5);
  EXPECT_EQ(text({.project = "larder", .version = "1.0", .benchmarks = {one}, .notes = {}}),
            R"(insert at 1111111111 Old one: 2 runs of 1.00 s

written: 42.0 KiB a run in 30 calls, by 2 stacks; the kernel counted the same

stacks that did most
 share     a run  calls    a call  runs  stack
95.3 %  40.0 KiB     10  4.00 KiB     2  main > run > Store > flush
 4.7 %  1.95 KiB     20     100 B     2  main > log

stacks that did most per call
 share     a run  calls    a call  runs  stack
95.3 %  40.0 KiB     10  4.00 KiB     2  main > run > Store > flush
 4.7 %  1.95 KiB     20     100 B     2  main > log

files with most
 share     a run  calls  file
95.3 %  40.0 KiB     10  /tmp/data
 4.7 %  1.95 KiB     20  /tmp/log
)");
}

TEST(ExplanationText, tells_what_the_kernel_counted_more) {
  ExplainedBenchmark one;
  one.benchmark = "insert";
  auto watched = commit(before, "1111111111111111", "Old one");
  for (auto& run : watched.runs)
    run.profile.accounted["written"] = 42960 + 1024;
  one.runs = explain::run_report(watched, {}, 5);
  EXPECT_TRUE(text({.project = "larder", .version = "1.0", .benchmarks = {one}, .notes = {}})
                  .contains("; the kernel counted 43.0 KiB, 1.00 KiB more than was seen\n"));
}

TEST(ExplanationText, gives_an_overview) {
  ExplainedBenchmark one;
  one.benchmark = "insert";
  const std::vector<WatchedCommit> commits{commit(before, "1111111111111111", "Old one"),
                                           commit_of({}, "2222222222222222"),
                                           commit(flushing(), "3333333333333333", "Flush")};
  one.overview = explain::overview(commits, "written", Yardstick::Tested, {});
  EXPECT_EQ(text({.project = "larder", .version = "1.0", .benchmarks = {one}, .notes = {}}),
            R"(insert: 1 of 3 commits changed what stacks do

commit       written   calls                                  changes                                     subject
1111111111  42.0 KiB      30  ##############################                                              Old one
2222222222         -       -                                  not watched
3333333333  42.0 KiB  1.02 k  ##############################  1 stack changed: ... > run > Store > flush  Flush
)");
}

TEST(ExplanationJson, has_everything) {
  auto made = compared(commit(before, "1111111111111111", "Old one"),
                       commit(flushing(), "2222222222222222", "New one"));
  made.benchmarks[0].runs =
      explain::run_report(commit(before, "1111111111111111", "Old one"), {}, 5);
  const auto document = parse_json(explanation_json(made));
  ASSERT_TRUE(document);
  EXPECT_EQ((*document)["document"], "explanation");
  const auto& one = (*document)["benchmarks"][0];
  EXPECT_EQ(one["similarity"]["findings"], 1);
  EXPECT_EQ(one["similarity"]["method"], "tested");
  const auto& row = one["similarity"]["rows"][0];
  EXPECT_EQ(row["similarity"], 0);
  EXPECT_EQ(row["calls_difference"], 990);
  EXPECT_EQ(row["stack"][3]["function"], "flush");
  EXPECT_EQ(row["stack"][3]["line"], 40);
  EXPECT_EQ(row["stack"][4]["line"], nullptr);
  EXPECT_EQ(row["changes"]["calls"]["exact"], true);
  EXPECT_EQ(one["similarity"]["causes"][0]["function"], "flush");
  EXPECT_EQ(one["runs"]["metrics"][0]["files"][0]["file"], "/tmp/data");
  EXPECT_EQ(one["overview"], nullptr);
}

// A comparison as a page shows it: with trees, the steps around it, and the diff.
Explanation for_page() {
  const auto old_commit = commit(before, "1111111111111111", "Old one");
  const auto new_commit = commit(flushing(), "2222222222222222", "New one");
  auto made = compared(old_commit, new_commit);
  auto& one = made.benchmarks[0];
  explain::Comparison comparison;
  comparison.bases = {old_commit};
  comparison.candidate = new_commit;
  one.trees = explained_trees(comparison);
  one.overview = explain::overview(std::vector{old_commit, new_commit}, "written",
                                   Yardstick::Tested, comparison.thresholds);
  one.steps = {{.commit = old_commit.commit.id,
                .similarity = {},
                .runs = explain::run_report(old_commit, {}, 5),
                .hunks = {},
                .trees = {}},
               {.commit = new_commit.commit.id,
                .similarity = one.similarity,
                .runs = {},
                .hunks = {{{"app", "flush"}, "@@ -1 +1 @@\n-a\n+b\n"}},
                .trees = one.trees}};
  made.diffs = {{old_commit.commit.id, new_commit.commit.id, "-a\n+b\n"}};
  return made;
}

TEST(ExplanationJson, has_trees_of_amounts_and_of_calls) {
  const auto document = parse_json(explanation_json(for_page()));
  ASSERT_TRUE(document);
  const auto& trees = (*document)["benchmarks"][0]["trees"];
  ASSERT_EQ(trees.size(), 2U);
  EXPECT_EQ(trees[0]["metric"], "written");
  EXPECT_EQ(trees[0]["quantity"], "amount");
  EXPECT_EQ(trees[0]["unit"], "B");
  EXPECT_EQ(trees[0]["tree"]["name"], "all");
  EXPECT_EQ(trees[0]["tree"]["old"], 42960);
  EXPECT_EQ(trees[1]["quantity"], "calls");
  EXPECT_EQ(trees[1]["unit"], "");
  EXPECT_EQ(trees[1]["tree"]["new"], 1020);
  EXPECT_EQ(trees[1]["tree"]["callees"][0]["name"], "main");
}

TEST(ExplanationJson, leaves_trees_of_nothing_out) {
  explain::Comparison comparison;
  comparison.bases = {commit({{"main;sync", 3, 0, "fsync", ""}}, "1111111111111111", "Old one")};
  comparison.candidate = comparison.bases[0];
  const auto trees = explained_trees(comparison);
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].quantity, explain::Quantity::Calls);
  comparison.metrics = {"written"};
  EXPECT_TRUE(explained_trees(comparison).empty());
}

TEST(ExplanationJson, has_the_steps_of_a_range) {
  const auto document = parse_json(explanation_json(for_page()));
  ASSERT_TRUE(document);
  const auto& steps = (*document)["benchmarks"][0]["steps"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0]["commit"], "1111111111111111");
  EXPECT_EQ(steps[0]["similarity"], nullptr);
  EXPECT_EQ(steps[0]["runs"]["metrics"][0]["metric"], "written");
  EXPECT_EQ(steps[1]["similarity"]["new"]["commit"], "2222222222222222");
  EXPECT_EQ(steps[1]["hunks"][0]["function"], "flush");
  EXPECT_EQ(steps[1]["trees"].size(), 2U);
}

TEST(ExplanationJson, can_do_with_few_of_the_rows_that_are_as_before) {
  const auto document = parse_json(explanation_for_page(for_page(), 0));
  ASSERT_TRUE(document);
  const auto& similarity = (*document)["benchmarks"][0]["similarity"];
  EXPECT_EQ(similarity["rows"].size(), 1U);
  EXPECT_EQ(similarity["rows"][0]["finding"], true);
  EXPECT_EQ(similarity["rows_in_all"], 2);
}

TEST(ExplanationJson, has_each_frame_once_in_a_page) {
  const auto plain = parse_json(explanation_json(for_page()));
  const auto paged = parse_json(explanation_for_page(for_page()));
  ASSERT_TRUE(plain);
  ASSERT_TRUE(paged);
  EXPECT_FALSE(plain->contains("frames"));
  const auto& frames = (*paged)["frames"];
  for (std::size_t i = 1; i < frames.size(); ++i)
    EXPECT_NE(frames[i - 1], frames[i]);
  const auto row = Json::json_pointer("/benchmarks/0/similarity/rows/0");
  for (const char* stack : {"stack", "old_stack"}) {
    Json found = Json::array();
    for (const auto& number : (*paged)[row][stack])
      found.push_back(frames[number.get<std::size_t>()]);
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found, (*plain)[row][stack]);
  }
}

TEST(ExplanationJson, says_whether_there_were_enough_runs_to_tell) {
  auto made = for_page();
  const auto enough = parse_json(explanation_json(made));
  ASSERT_TRUE(enough);
  EXPECT_EQ((*enough)["benchmarks"][0]["similarity"]["conclusive"], true);
  made.benchmarks[0].similarity->conclusive = false;
  const auto few = parse_json(explanation_json(made));
  ASSERT_TRUE(few);
  EXPECT_EQ((*few)["benchmarks"][0]["similarity"]["conclusive"], false);
}

TEST(ExplanationJson, cuts_a_long_diff_behind_a_line) {
  auto made = for_page();
  made.diffs.push_back(made.diffs[0]);
  made.diffs[1].text.clear();
  for (int i = 0; i < 30'000; ++i)
    made.diffs[1].text += "+234567\n";
  made.diffs.push_back(made.diffs[0]);
  made.diffs[2].text = std::string(300'000, 'x');
  const auto document = parse_json(explanation_json(made));
  ASSERT_TRUE(document);
  const auto& diffs = (*document)["diffs"];
  EXPECT_EQ(diffs[0]["text"], "-a\n+b\n");
  EXPECT_EQ(diffs[0]["left_out"], 0);
  EXPECT_EQ(diffs[1]["text"].get<std::string>().size(), 200'000U);
  EXPECT_EQ(diffs[1]["left_out"], 40'000);
  EXPECT_EQ(diffs[2]["text"], "");
  EXPECT_EQ(diffs[2]["left_out"], 300'000);
}

// What the page reads is what is written here: its tests open this sample. To renew it after a
// change that is meant, run this test with DRAGNET_RENEW_SAMPLES=1 and look at the difference.
TEST(ExplanationJson, is_the_sample_that_the_page_is_tested_with) {
  const auto path = fakes::source_folder() / "web/tests/samples/explanation.json";
  const std::string made = explanation_for_page(for_page());
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing runs beside a test
  if (std::getenv("DRAGNET_RENEW_SAMPLES") != nullptr) {
    ASSERT_TRUE(write_file(path, made));
  }
  const auto kept = read_file(path);
  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_EQ(*kept, made);
}

TEST(Contents, holds_an_explanation_where_there_is_one) {
  Contents contents;
  const auto without = parse_json(contents_json(contents, "1.0"));
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->contains("explanation"));
  contents.explanation = explanation_json(for_page());
  const auto with = parse_json(contents_json(contents, "1.0"));
  ASSERT_TRUE(with);
  EXPECT_EQ((*with)["explanation"], *parse_json(contents.explanation));
  contents.explanation = "{ torn";
  const auto torn = parse_json(contents_json(contents, "1.0"));
  ASSERT_TRUE(torn);
  EXPECT_EQ((*torn)["explanation"], nullptr);
}

} // namespace
} // namespace dragnet::report
