#include "report/explanation.h"

#include "base/json.h"
#include "base/text.h"
#include "tests/analysis/explain/stack_samples.h"

#include <gtest/gtest.h>

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
            R"(insert: 1 of 2 stacks changed; it arises in flush (src/app.cpp:40)
  old  1111111111 Old one, 2 runs of 1.00 s
  new  2222222222 Flush after each record, 2 runs of 1.00 s
  written: 42.0 KiB -> 42.0 KiB a run (+0.0 %), 30 -> 1.02 k calls

#    SC   calls  calls diff     impact  total impact  range  runs        of the run  stack
1  0.00  1.00 k        +990  -3.96 KiB     -3.87 MiB    0 B   2/2  +97.1 % of calls  main > run > Store > flush

1. written: 40.0 KiB -> 40.0 KiB a run, 10 -> 1.00 k calls, 4.00 KiB -> 41 B a call
     main (src/app.cpp:10)
     run (src/app.cpp:20)
     Store (src/app.cpp:30)
   > flush (src/app.cpp:40)
     write (libc.so.6)
   file /tmp/data: 40.0 KiB -> 40.0 KiB
)");
}

TEST(ExplanationText, says_when_nothing_changed) {
  const auto made = compared(commit(before, "1111111111111111", "Old one"),
                             commit(before, "2222222222222222", "New one"));
  EXPECT_EQ(text(made), R"(insert: no change in 2 stacks
  old  1111111111 Old one, 2 runs of 1.00 s
  new  2222222222 New one, 2 runs of 1.00 s
  written: 42.0 KiB -> 42.0 KiB a run (+0.0 %), 30 -> 30 calls
)");
}

TEST(ExplanationText, shows_all_rows_of_the_published_method) {
  const auto made =
      compared(commit(before, "1111111111111111", "Old one"),
               commit(flushing(), "2222222222222222", "New one"), Yardstick::Published);
  EXPECT_TRUE(text(made, {.stacks = 0}).ends_with(R"(
#    SC   calls  calls diff     impact  total impact  range  runs  stack
1  0.00  1.00 k        +990  -3.96 KiB     -3.87 MiB    0 B   2/2  main > run > Store > flush
2  1.00      20           0        0 B           0 B    0 B   2/2  main > log
)"));
}

TEST(ExplanationText, warns_of_runs_that_crashed) {
  WatchedCommit crashed = commit(before, "2222222222222222", "New one");
  crashed.runs[1].run.outcome = RunOutcome::Crashed;
  crashed.runs[1].run.status = 11;
  crashed.runs[1].run.seconds = 0.5;
  crashed.runs[1].run.log = "reading\n\nfatal: \x1b[31mno such table\n";
  const std::string made = text(compared(commit(before, "1111111111111111", "Old one"), crashed));
  EXPECT_TRUE(made.contains("\nRun 2 of 2222222222 crashed (signal 11) after 500 ms:\n"
                            "  | reading\n  |\n  | fatal:  [31mno such table\n"))
      << made;
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

most in total
 share     a run  calls    a call  runs  stack
95.3 %  40.0 KiB     10  4.00 KiB     2  main > run > Store > flush
 4.7 %  1.95 KiB     20     100 B     2  main > log

most per call
 share     a run  calls    a call  runs  stack
95.3 %  40.0 KiB     10  4.00 KiB     2  main > run > Store > flush
 4.7 %  1.95 KiB     20     100 B     2  main > log

files
 share     a run  calls  file
95.3 %  40.0 KiB     10  /tmp/data
 4.7 %  1.95 KiB     20  /tmp/log
)");
}

TEST(ExplanationText, gives_an_overview) {
  ExplainedBenchmark one;
  one.benchmark = "insert";
  const std::vector<WatchedCommit> commits{commit(before, "1111111111111111", "Old one"),
                                           commit_of({}, "2222222222222222"),
                                           commit(flushing(), "3333333333333333", "Flush")};
  one.overview = explain::overview(commits, "written", Yardstick::Tested, {});
  EXPECT_EQ(text({.project = "larder", .version = "1.0", .benchmarks = {one}, .notes = {}}),
            R"(insert: 1 of 3 commits changed stacks

commit       written   calls                                  changes                                      subject
1111111111  42.0 KiB      30  ##############################                                               Old one
2222222222         -       -                                  not watched
3333333333  42.0 KiB  1.02 k  ##############################  1 changed, first: ... > run > Store > flush  Flush
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

} // namespace
} // namespace dragnet::report
