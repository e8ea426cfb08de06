#include "report/comparison.h"

#include "base/json.h"
#include "base/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::report {
namespace {

using compare::Comparison;
using compare::Row;

Row row(const std::string& benchmark, Verdict verdict) {
  Row made;
  made.benchmark = benchmark;
  made.metric = metric_named("wall");
  made.judgement = {verdict, "because"};
  if (verdict == Verdict::Failed || verdict == Verdict::NotMeasured)
    return made;
  made.evidence.old_values = {0.0410, 0.0412, 0.0414};
  made.evidence.new_values = {0.0510, 0.0512, 0.0514};
  made.assessment = {.change = 0.243, .low = 0.2, .high = 0.3, .p_value = 0.001, .pairs = 3};
  return made;
}

Comparison with(std::vector<Row> rows) {
  Comparison comparison;
  comparison.base.commit.id.text = "1111111111111111";
  comparison.base.commit.subject = "Old one";
  comparison.candidate.commit.id.text = "2222222222222222";
  comparison.candidate.commit.subject = "New one";
  comparison.rows = std::move(rows);
  comparison.budget = Seconds(300);
  comparison.seconds = 12;
  comparison.pairs_measured = 3;
  return comparison;
}

// The invariant of every text: no line ends with a blank, and it ends with a newline.
std::string text(const Comparison& comparison, const Look& look = {}) {
  Heading heading;
  heading.project = "tiny";
  heading.notes = {"one thing to know"};
  const std::string made = comparison_text(comparison, heading, look);
  EXPECT_TRUE(made.ends_with("\n"));
  for (const auto& line : lines(made))
    EXPECT_FALSE(line.ends_with(' ')) << "[" << line << "]";
  return made;
}

std::string sentence(std::vector<Row> rows) {
  return lines(text(with(std::move(rows)))).front();
}

TEST(ComparisonText, begins_with_the_outcome) {
  EXPECT_EQ(sentence({row("a", Verdict::Regressed)}), "Regressed: 1 of 1 benchmark: a");
  EXPECT_EQ(sentence({row("a", Verdict::Failed)}), "Failed: 1 of 1 benchmark: a");
  EXPECT_EQ(sentence({row("a", Verdict::Inconclusive)}), "Inconclusive: 1 of 1 benchmark: a");
  EXPECT_EQ(sentence({row("a", Verdict::NotMeasured)}), "Not measured: 1 of 1 benchmark: a");
  EXPECT_EQ(sentence({row("a", Verdict::Improved), row("b", Verdict::Unchanged)}),
            "Nothing regressed; improved: 1 of 2 benchmarks: a");
  EXPECT_EQ(sentence({row("a", Verdict::Unchanged)}), "Nothing regressed: 1 benchmark unchanged");
  EXPECT_EQ(sentence({row("a", Verdict::Unchanged), row("b", Verdict::Unchanged)}),
            "Nothing regressed: 2 benchmarks unchanged");
}

TEST(ComparisonText, tells_the_worst_outcome_first) {
  EXPECT_TRUE(sentence({row("a", Verdict::Improved), row("b", Verdict::Inconclusive),
                        row("c", Verdict::Failed), row("d", Verdict::Regressed)})
                  .starts_with("Regressed: 1 of 4"));
  EXPECT_TRUE(sentence({row("b", Verdict::Inconclusive), row("c", Verdict::Failed)})
                  .starts_with("Failed: 1 of 2"));
  EXPECT_TRUE(sentence({row("b", Verdict::Improved), row("c", Verdict::Inconclusive)})
                  .starts_with("Inconclusive"));
}

TEST(ComparisonText, counts_a_benchmark_once_however_many_metrics_it_has) {
  EXPECT_EQ(sentence({row("a", Verdict::Regressed), row("a", Verdict::Regressed),
                      row("b", Verdict::Unchanged)}),
            "Regressed: 1 of 2 benchmarks: a");
}

TEST(ComparisonText, names_only_some_of_many) {
  std::vector<Row> rows;
  for (const auto* name : {"a", "b", "c", "d", "e", "f"})
    rows.push_back(row(name, Verdict::Regressed));
  EXPECT_EQ(sentence(rows), "Regressed: 6 of 6 benchmarks: a, b, c, d and 2 more");
}

TEST(ComparisonText, does_not_call_nothing_good) {
  EXPECT_FALSE(sentence({}).contains("Nothing regressed"))
      << "the exit status says that nothing was measured";
}

TEST(ComparisonText, shows_both_commits_and_the_numbers) {
  const std::string made = text(with({row("sort", Verdict::Regressed)}));
  EXPECT_TRUE(made.contains("old  1111111111 Old one")) << made;
  EXPECT_TRUE(made.contains("new  2222222222 New one")) << made;
  EXPECT_TRUE(made.contains("41.2 ms ± 0.2")) << made;
  EXPECT_TRUE(made.contains("51.2 ms ± 0.2")) << made;
  EXPECT_TRUE(made.contains("+24.3 % (+20.0 % to +30.0 %)")) << made;
  EXPECT_TRUE(made.contains(
      "3 pairs measured, 0 remembered; 12.0 s of measuring in a budget of 5 min 0 s."))
      << made;
  EXPECT_TRUE(made.contains("one thing to know\n")) << made;
}

TEST(ComparisonText, shows_why_something_failed_with_its_log) {
  Row failed = row("sort", Verdict::Failed);
  failed.judgement.rule = "it crashed with signal 11 on the new side";
  failed.log = "first line\nlast line\n";
  const std::string made = text(with({failed}));
  EXPECT_TRUE(made.contains(
      "sort wall: it crashed with signal 11 on the new side\n  | first line\n  | last line\n"))
      << made;
}

TEST(ComparisonText, shows_all_reasons_when_asked) {
  const auto comparison = with({row("sort", Verdict::Unchanged)});
  EXPECT_FALSE(text(comparison).contains("sort wall: because"));
  EXPECT_TRUE(text(comparison, {.reasons = true}).contains("sort wall: because\n"));
}

TEST(ComparisonText, says_how_to_decide_what_is_inconclusive) {
  EXPECT_TRUE(text(with({row("sort", Verdict::Inconclusive)})).contains("--budget 15m"));
  EXPECT_FALSE(text(with({row("sort", Verdict::Unchanged)})).contains("--budget"));
}

TEST(ComparisonText, says_when_valgrind_counted) {
  Row counted = row("sort", Verdict::Unchanged);
  counted.method = Method::Counted;
  EXPECT_TRUE(text(with({counted})).contains("valgrind"));
  EXPECT_FALSE(text(with({row("sort", Verdict::Unchanged)})).contains("valgrind"));
}

Json document(const Comparison& comparison) {
  Heading heading;
  heading.project = "tiny";
  heading.version = "1.2.3";
  heading.notes = {"one thing to know"};
  const auto parsed = parse_json(comparison_json(comparison, heading));
  EXPECT_TRUE(parsed) << parsed.error().what;
  return parsed ? *parsed : Json();
}

TEST(ComparisonJson, says_what_it_is) {
  const Json json = document(with({}));
  EXPECT_EQ(json["document"], "comparison");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["dragnet"], "1.2.3");
  EXPECT_EQ(json["status"], 4);
  EXPECT_EQ(json["rows"], Json::array());
  EXPECT_EQ(json["notes"], Json::array({"one thing to know"}));
}

TEST(ComparisonJson, carries_what_the_table_shows) {
  const Json json = document(with({row("sort", Verdict::Regressed)}));
  const Json& seen = json["rows"][0];
  EXPECT_EQ(json["status"], 1);
  EXPECT_EQ(json["old"]["commit"], "1111111111111111");
  EXPECT_EQ(seen["benchmark"], "sort");
  EXPECT_EQ(seen["metric"], "wall");
  EXPECT_EQ(seen["unit"], "s");
  EXPECT_EQ(seen["verdict"], "regressed");
  EXPECT_EQ(seen["rule"], "because");
  EXPECT_EQ(seen["change"]["estimate"], 0.243);
  EXPECT_EQ(seen["old"]["median"], 0.0412);
  EXPECT_EQ(seen["new"]["samples"], (Json{0.0510, 0.0512, 0.0514}));
}

TEST(ComparisonJson, has_no_change_where_nothing_was_measured) {
  const Json json = document(with({row("sort", Verdict::NotMeasured)}));
  EXPECT_FALSE(json["rows"][0].contains("change"));
}

TEST(ComparisonJson, survives_what_programs_print) {
  Row failed = row("sort \"x\"", Verdict::Failed);
  failed.log = std::string("bytes \xff \0 \x1b[31m \"", 17);
  EXPECT_EQ(document(with({failed}))["rows"][0]["benchmark"], "sort \"x\"");
}

TEST(ComparisonJson, tells_whether_it_was_stopped) {
  Comparison comparison = with({row("sort", Verdict::Inconclusive)});
  EXPECT_EQ(document(comparison)["complete"], true);
  comparison.stopped_by = Error{"interrupted", {}};
  EXPECT_EQ(document(comparison)["complete"], false);
}

} // namespace
} // namespace dragnet::report
