#include "report/check.h"

#include "base/json.h"
#include "base/text.h"
#include "report/check_samples.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::report {
namespace {

using namespace samples; // NOLINT(google-build-using-namespace): they are this test's vocabulary

// The invariant of every text: no line ends with a blank, no control character, and it ends with a
// newline.
std::string text(const CheckedCommit& checked, const Look& look = {}) {
  const std::string made = check_text(checked, look);
  EXPECT_TRUE(made.ends_with("\n"));
  for (const auto& line : lines(made)) {
    EXPECT_FALSE(line.ends_with(' ')) << "[" << line << "]";
    EXPECT_TRUE(look.colours || line.find_first_of("\x1b\r\t\x01") == std::string::npos) << line;
  }
  return made;
}

std::string sentence(std::vector<CheckedBenchmark> benchmarks) {
  const CheckedCommit checked = with(std::move(benchmarks));
  EXPECT_EQ(lines(text(checked)).front(), check_sentence(checked));
  return check_sentence(checked);
}

TEST(CheckSentence, tells_the_outcome) {
  EXPECT_EQ(sentence({regressed("get"), benchmark("put", Verdict::Unchanged)}),
            "Regressed: 1 of 2 benchmarks: get");
  EXPECT_EQ(sentence({failed("get")}), "Failed: 1 of 1 benchmark: get");
  EXPECT_EQ(sentence({benchmark("get", Verdict::Inconclusive)}),
            "Inconclusive: 1 of 1 benchmark: get");
  EXPECT_EQ(sentence({benchmark("a", Verdict::Unchanged), skipped("b", Treatment::NotReached)}),
            "Inconclusive: 1 of 2 benchmarks: b");
  EXPECT_EQ(sentence({skipped("b", Treatment::NotReached)}),
            "Nothing was measured; open: 1 of 1 benchmark: b");
  EXPECT_EQ(sentence({}), "Nothing was measured: there is no benchmark to check");
}

TEST(CheckSentence, tells_that_nothing_regressed_and_how_that_is_known) {
  EXPECT_EQ(sentence({benchmark("a", Verdict::Unchanged), benchmark("b", Verdict::Unchanged),
                      skipped("c", Treatment::Dismissed)}),
            "Nothing regressed: 2 measured, 1 dismissed");
  EXPECT_EQ(sentence({benchmark("a", Verdict::Unchanged), exonerated("b")}),
            "Nothing regressed: 2 measured, 1 of them exonerated");
  EXPECT_EQ(sentence({benchmark("a", Verdict::Improved), benchmark("b", Verdict::Unchanged)}),
            "Nothing regressed; improved: 1 of 2 benchmarks: a");
  EXPECT_EQ(sentence({skipped("a", Treatment::Dismissed), skipped("b", Treatment::Dismissed)}),
            "Nothing changed that any of 2 benchmarks executes");
  EXPECT_EQ(sentence({skipped("a", Treatment::Dismissed)}),
            "Nothing changed that the benchmark executes");
}

TEST(CheckSentence, does_not_take_a_prediction_for_a_fact) {
  CheckedBenchmark learned = skipped("a", Treatment::Dismissed);
  learned.basis = "learned";
  EXPECT_EQ(sentence({learned}), "Nothing regressed: none measured, 1 dismissed");
}

TEST(CheckSentence, tells_of_failures_beside_regressions) {
  EXPECT_EQ(sentence({failed("a"), regressed("b"), failed("c")}),
            "Regressed: 1 of 3 benchmarks: b; 2 failed");
}

TEST(CheckSentence, agrees_with_the_exit_status) {
  for (const auto& [name, checked] : samples::all()) {
    const bool good = check_sentence(checked).starts_with("Nothing regressed") ||
                      check_sentence(checked).starts_with("Nothing changed");
    EXPECT_EQ(good, exit_status(checked) == 0) << name;
  }
}

TEST(CheckSentence, says_when_it_was_interrupted) {
  CheckedCommit checked = with({benchmark("a", Verdict::Unchanged)});
  checked.complete = false;
  EXPECT_EQ(check_sentence(checked), "Nothing regressed: 1 measured (interrupted)");
}

TEST(CheckText, reads_like_this) {
  EXPECT_EQ(text(mixed()), R"(Regressed: 1 of 8 benchmarks: get; 1 failed
  old  1111111111 Old one
  new  2222222222 New one

get regressed
  wall  41.2 ms ± 0.2 -> 51.2 ms ± 0.2, +24.3 % (+20.0 % to +30.0 %), 3 pairs, the last to confirm
    Store::find executes 1.5 times the instructions
    Store::find (src/store.cpp:42) changed: 60.0 % -> 75.0 % of the instructions, called 1.00 k -> 3.00 k times, explains +20.1 %

put improved
  wall  41.2 ms ± 0.2 -> 51.2 ms ± 0.2, +24.3 % (+20.0 % to +30.0 %), 3 pairs
    wall: the interval lies beyond the smallest effect

scan exonerated
  wall  41.2 ms ± 0.2 -> 51.2 ms ± 0.2, +24.3 % (+20.0 % to +30.0 %), 3 pairs
    nothing that it executes changed

open failed
    wall: it crashed with signal 11 on the new side
  | first line
  | last line

close inconclusive: wall +24.3 % (+20.0 % to +30.0 %) in 3 pairs
For what is open: give more time (--budget 15m), or judge what is less noisy (--metric instructions).

The rest: not reached 1: the budget was spent before; unchanged 1; dismissed 1 (list): nothing that it executes changed (3 functions changed elsewhere)

3 pairs measured, 0 remembered; 12.0 s of measuring in a budget of 5 min 0 s; 40.0 s in all, 20.0 s of it building.
Predictions so far: hit rate 90.0 % (60.0 to 98.0, n=10), dismiss rate 80.0 % (70.0 to 87.0, n=100); 5 audits, 1 changed after all.
one thing to know
)");
}

TEST(CheckText, lists_what_was_skipped_when_asked) {
  const std::string line =
      "  list dismissed: nothing that it executes changed (3 functions changed elsewhere)\n";
  EXPECT_FALSE(text(mixed()).contains(line));
  EXPECT_TRUE(text(mixed(), {.reasons = true}).contains(line));
  EXPECT_TRUE(text(mixed(), {.reasons = true})
                  .contains("  sync not reached: the budget was spent before; "));
}

TEST(CheckText, shows_three_functions_and_counts_the_rest) {
  CheckedBenchmark many = regressed("get");
  many.functions.assign(5, function("other", ""));
  EXPECT_TRUE(text(with({many})).contains("\n    and 2 more functions\n"));
  many.functions.resize(3);
  EXPECT_FALSE(text(with({many})).contains("more function"));
}

TEST(CheckText, shows_the_end_of_a_long_log_only) {
  CheckedBenchmark noisy = failed("get");
  noisy.log.clear();
  for (int i = 0; i < 1000; ++i)
    noisy.log += "line " + std::to_string(i) + "\n";
  const std::string made = text(with({noisy}));
  EXPECT_TRUE(made.contains("  | line 999\n"));
  EXPECT_FALSE(made.contains("line 900\n"));
}

TEST(CheckText, says_that_an_audit_found_it) {
  CheckedBenchmark audited = regressed("get");
  audited.treatment = Treatment::Audited;
  EXPECT_TRUE(text(with({audited})).contains("get regressed (an audit:"));
}

TEST(CheckText, gives_advice_only_where_something_is_open) {
  EXPECT_FALSE(text(with({regressed("get")})).contains("--budget"));
  EXPECT_TRUE(text(with({skipped("a", Treatment::NotReached)})).contains("--budget 15m"));
}

TEST(CheckText, is_coloured_only_when_asked) {
  EXPECT_FALSE(text(mixed()).contains('\x1b'));
  EXPECT_TRUE(text(mixed(), {.colours = true}).contains("\x1b[31mregressed\x1b[0m"));
}

TEST(CheckText, survives_everything) {
  for (const auto& [name, checked] : samples::all())
    EXPECT_FALSE(text(checked, {.reasons = true}).empty()) << name;
}

Json document(const CheckedCommit& checked) {
  const auto parsed = parse_json(check_json(checked, "1.2.3"));
  EXPECT_TRUE(parsed) << parsed.error().what;
  return parsed ? *parsed : Json();
}

TEST(CheckJson, says_what_it_is) {
  const Json json = document(mixed());
  EXPECT_EQ(json["document"], "check");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["dragnet"], "1.2.3");
  EXPECT_EQ(json["status"], 1);
  EXPECT_EQ(json["sentence"], check_sentence(mixed()));
  EXPECT_EQ(json["new"]["author"], "Ada");
  EXPECT_EQ(json["seconds"]["total"], 40);
  EXPECT_EQ(json["predictions"]["hit"]["rate"], 0.9);
}

TEST(CheckJson, puts_the_weightiest_first) {
  std::vector<std::string> verdicts;
  const Json json = document(mixed());
  for (const Json& benchmark : json["benchmarks"])
    verdicts.push_back(benchmark["verdict"]);
  EXPECT_EQ(verdicts,
            (std::vector<std::string>{"regressed", "failed", "inconclusive", "not measured",
                                      "not measured", "exonerated", "improved", "unchanged"}));
}

TEST(CheckJson, carries_what_explains_a_regression) {
  const Json get = document(mixed())["benchmarks"][0];
  EXPECT_EQ(get["benchmark"], "get");
  EXPECT_EQ(get["treatment"], "measured");
  EXPECT_EQ(get["metrics"][0]["metric"], "wall");
  EXPECT_EQ(get["metrics"][0]["pairs"], 3);
  EXPECT_EQ(get["metrics"][0]["confirmed"], 2);
  EXPECT_EQ(get["metrics"][0]["change"]["low"], 0.2);
  EXPECT_EQ(get["functions"][0]["demangled"], "Store::find(int)");
  EXPECT_EQ(get["functions"][0]["file"], "src/store.cpp");
  EXPECT_EQ(get["functions"][0]["new"]["share"], 0.75);
  EXPECT_TRUE(get["tree"].is_null());
}

TEST(CheckJson, has_null_where_nothing_is_known) {
  const Json json = document(with({benchmark("a", Verdict::Regressed)}));
  EXPECT_TRUE(json["predictions"]["hit"]["rate"].is_null());
  EXPECT_TRUE(json["benchmarks"][0]["metrics"][0]["confirmed"].is_null());
}

TEST(CheckJson, cuts_a_tree_that_readers_would_refuse) {
  CheckedBenchmark deep = regressed("get");
  CallNode tree{.function = "leaf", .callees = {}};
  for (int i = 0; i < 1000; ++i)
    tree = CallNode{.function = "f", .callees = {tree}};
  deep.tree = tree;
  EXPECT_EQ(document(with({deep}))["benchmarks"][0]["tree"]["callees"][0]["name"], "f");
}

TEST(CheckJson, survives_everything) {
  for (const auto& [name, checked] : samples::all())
    EXPECT_EQ(document(checked)["benchmarks"].size(), checked.benchmarks.size()) << name;
}

} // namespace
} // namespace dragnet::report
