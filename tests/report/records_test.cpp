#include "report/records.h"

#include "base/json.h"
#include "base/text.h"
#include "model/inspection.h"
#include "report/inspection.h"
#include "report/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::report {
namespace {

Record record(const std::string& benchmark, double wall) {
  Record made;
  made.run.id = 7;
  made.run.started = 1'700'000'000'123;
  made.run.samples = {{"wall", wall}, {"page-faults", 100}};
  made.build.key = "u1";
  made.build.commit.id.text = "1111111111111111";
  made.build.commit.subject = "Old one";
  made.build.commit.time = 1'700'000'000;
  made.benchmark = {"b-" + benchmark, benchmark, "./" + benchmark};
  made.machine.key = "m1";
  made.machine.host_name = "hare";
  return made;
}

Knowledge knowledge(std::vector<Record> records) {
  Knowledge made;
  made.project = "tiny";
  made.commit.id.text = "1111111111111111";
  made.commit.subject = "Old one";
  made.records = std::move(records);
  made.this_machine = "m1";
  return made;
}

Json parsed(const std::string& text) {
  const auto json = parse_json(text);
  EXPECT_TRUE(json) << json.error().what;
  return json ? *json : Json();
}

TEST(KnowledgeText, shows_the_main_metrics_or_every_one) {
  const auto known = knowledge({record("sort", 0.5), record("sort", 0.5)});
  const std::string main = knowledge_text(known, false, false);
  EXPECT_TRUE(main.starts_with("1111111111 Old one\n")) << main;
  EXPECT_TRUE(main.contains("500 ms     2  here\n")) << main;
  EXPECT_FALSE(main.contains("page-faults"));
  EXPECT_TRUE(knowledge_text(known, true, false).contains("page-faults"));
}

TEST(KnowledgeText, says_what_to_do_when_nothing_is_known) {
  EXPECT_TRUE(
      knowledge_text(knowledge({}), false, false).contains("hint: dragnet run 1111111111\n"));
}

TEST(KnowledgeText, never_mixes_machines) {
  auto other = record("sort", 0.9);
  other.machine.key = "m2";
  other.machine.host_name = "tortoise";
  const std::string text = knowledge_text(knowledge({record("sort", 0.5), other}), false, false);
  EXPECT_TRUE(text.contains("500 ms     1  here\n")) << text;
  EXPECT_TRUE(text.contains("900 ms     1  on tortoise\n")) << text;
}

TEST(KnowledgeText, never_mixes_definitions) {
  auto other = record("sort", 0.9);
  other.benchmark.key = "another definition";
  const std::string text = knowledge_text(knowledge({record("sort", 0.5), other}), false, false);
  EXPECT_TRUE(text.contains("500 ms     1")) << text;
  EXPECT_TRUE(text.contains("900 ms     1")) << text;
}

TEST(KnowledgeText, never_mixes_counted_with_timed) {
  auto timed = record("sort", 0.5);
  timed.run.samples = {{"instructions", 1000}};
  auto counted = timed;
  counted.method = Method::Counted;
  counted.run.samples = {{"instructions", 5000}};
  const std::string text = knowledge_text(knowledge({timed, counted}), false, false);
  EXPECT_TRUE(text.contains("1.00 k     1  here\n")) << text;
  EXPECT_TRUE(text.contains("5.00 k     1  here, counted by valgrind\n")) << text;
}

TEST(KnowledgeText, counts_failures) {
  auto failed = record("sort", 0.5);
  failed.run.outcome = RunOutcome::TimedOut;
  failed.run.samples.clear();
  const std::string text =
      knowledge_text(knowledge({record("sort", 0.5), failed, failed}), false, false);
  EXPECT_TRUE(text.contains("sort: timed out (2 runs)\n")) << text;
}

TEST(CommitsText, shows_the_newest_first) {
  auto newer = record("sort", 0.5);
  newer.build.commit.id.text = "2222222222222222";
  newer.build.commit.time += 10;
  const std::vector<Record> records{record("sort", 0.5), record("copy", 0.5), newer};
  const auto shown = lines(commits_text(records, false));
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_TRUE(shown[1].starts_with("2222222222           1     1  ")) << shown[1];
  EXPECT_TRUE(shown[2].starts_with("1111111111           2     2  ")) << shown[2];
  EXPECT_TRUE(commits_text({}, false).contains("hint: dragnet run"));
}

TEST(RunsJson, carries_every_sample) {
  const std::vector<Record> records{record("sort", 0.1)};
  const Json json = parsed(runs_json(records, "tiny", "1.2.3"));
  EXPECT_EQ(json["document"], "runs");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["runs"][0]["samples"]["wall"], 0.1);
  EXPECT_EQ(json["runs"][0]["commit"], "1111111111111111");
  EXPECT_FALSE(json["runs"][0].contains("log"));
}

TEST(KnowledgeJson, says_what_it_is) {
  const Json json = parsed(knowledge_json(knowledge({record("sort", 0.1)}), "1.2.3"));
  EXPECT_EQ(json["document"], "commit");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["runs"].size(), 1U);
  EXPECT_EQ(parsed(knowledge_json(knowledge({}), "1.2.3"))["runs"], Json::array());
}

TEST(RunsCsv, has_a_line_for_each_sample) {
  const std::vector<Record> records{record("sort", 0.1)};
  EXPECT_EQ(runs_csv(records),
            "run,commit,benchmark,method,machine,started_ms,outcome,metric,value,unit\n"
            "7,1111111111111111,sort,timed,hare,1700000000123,finished,page-faults,100,\n"
            "7,1111111111111111,sort,timed,hare,1700000000123,finished,wall,0.1,s\n");
}

TEST(RunsCsv, quotes_what_needs_it) {
  auto odd = record("say \"hi\", twice", 0.1);
  odd.machine.host_name = "two\nlines";
  odd.run.samples = {{"a,b", 1}};
  const std::string text = runs_csv(std::vector<Record>{odd});
  EXPECT_TRUE(text.contains(",\"say \"\"hi\"\", twice\",timed,\"two\nlines\",")) << text;
  EXPECT_TRUE(text.ends_with(",\"a,b\",1,\n")) << text;
}

TEST(RunsCsv, keeps_every_digit) {
  auto exact = record("sort", 0.1 + 0.2);
  exact.run.samples = {{"wall", 0.1 + 0.2}, {"instructions", 9007199254740993.0}};
  const std::string text = runs_csv(std::vector<Record>{exact});
  EXPECT_TRUE(text.contains(",0.30000000000000004,s\n")) << text;
  EXPECT_TRUE(text.contains(",9007199254740992,\n")) << text;
}

TEST(Summary, is_the_same_each_time) {
  const std::vector<double> values{1.0, 1.1, 0.9, 1.05, 5};
  EXPECT_EQ(summarise(values).low, summarise(values).low);
  EXPECT_EQ(summarise(values).median, 1.05);
  EXPECT_LE(summarise(values).low, 1.05);
  EXPECT_GE(summarise(values).high, 1.05);
  EXPECT_EQ(summarise({}).count, 0U);
}

TEST(Summary, shows_the_uncertainty_in_the_values_own_unit) {
  const Metric wall = metric_named("wall");
  EXPECT_EQ(describe({0.0412, 0.0408, 0.0416, 9}, wall), "41.2 ms ± 0.4");
  EXPECT_EQ(describe({0.412, 0.400, 0.424, 9}, wall), "412 ms ± 12.0");
  EXPECT_EQ(describe({0.9996, 0.9990, 1.0002, 9}, wall), "1.00 s ± 0.0006");
  EXPECT_EQ(describe({0.5, 0.5, 0.5, 9}, wall), "500 ms");
  EXPECT_EQ(describe({}, wall), "-");
  EXPECT_EQ(describe({412, 410, 414, 9}, metric_named("page-faults")), "412 ± 2.0");
  EXPECT_EQ(describe({0, 0, 1, 9}, wall), "0 s");
}

TEST(InspectionText, begins_with_the_outcome) {
  const std::vector<Inspection> good{{"cores", Grade::Good, "eight", ""}};
  EXPECT_TRUE(inspection_text(good, {}, false).starts_with("This machine is fit for measuring.\n"));
  const std::vector<Inspection> poor{{"cores", Grade::Poor, "one", "buy more"},
                                     {"load", Grade::Fair, "some", ""}};
  const std::string text = inspection_text(poor, {}, false);
  EXPECT_TRUE(
      text.starts_with("This machine can measure; 2 things could be better, 1 of them much.\n"))
      << text;
  EXPECT_TRUE(text.ends_with("\nTo improve:\n  cores: buy more\n")) << text;
}

TEST(InspectionJson, says_what_it_is) {
  const std::vector<Inspection> poor{{"cores", Grade::Poor, "one", "buy more"}};
  const Json json = parsed(inspection_json(poor, {}, "1.2.3"));
  EXPECT_EQ(json["document"], "doctor");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["inspections"][0]["grade"], "poor");
}

} // namespace
} // namespace dragnet::report
