#include "report/variants.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/finding.h"
#include "base/files.h"
#include "base/json.h"
#include "fakes/source_folder.h"
#include "model/configuration.h"
#include "model/metric.h"
#include "report/contents.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace dragnet::report {
namespace {

variants::Finding example() {
  variants::Finding found;
  found.benchmark = "insert";
  found.metric = metric_named("wall");
  found.commits = {{"aaaa", "aa", "begin"}, {"bbbb", "bb", "break it"}, {"cccc", "cc", "go on"}};
  found.space.options = {"compress", "cache"};
  variants::ChangePoint change;
  change.after = 0;
  change.commit = 2;
  change.condition = {.on = {0}, .off = {1}};
  change.commit_probability = 0.9;
  change.condition_probability = 0.9;
  change.options = {{{0, true}, 0.99}, {{1, false}, 0.9}};
  change.shown_by = Configuration(2);
  change.shown_by.set(0, true);
  change.change = 0.25;
  change.interval = {0.2, 0.3};
  found.answer.changes = {change};
  found.answer.done = 0.96;
  found.answer.measurements = 40;
  found.answer.cells = 30;
  found.answer.configurations = 5;
  found.answer.broken = {1};
  found.answer.rows = {{.configuration = change.shown_by, .cells = {{0, 1, 3}, {2, 1.25, 2}}},
                       {.configuration = Configuration(2), .cells = {{0, 0.5, 1}, {2, 0.5, 1}}}};
  found.disagreements = {{.kind = variants::Disagreement::Kind::Refused,
                          .constraint = "cache and not compress",
                          .example = "cache",
                          .configurations = 3,
                          .said = "no"}};
  found.notes = {"'root' is on in all rows"};
  return found;
}

TEST(VariantsText, tells_the_change_its_options_and_its_commits) {
  const std::string text = variants_text(example(), false);
  EXPECT_TRUE(
      text.starts_with("1 change, all for the worse; the probability that there is no other "
                       "one is 96.0 %.\n"))
      << text;
  EXPECT_TRUE(text.contains("cc or one of 1 before it  compress and not cache  +25.0 %")) << text;
  EXPECT_TRUE(text.contains("81.0 %")) << text;
  EXPECT_TRUE(text.contains("Does not build: bb (break it)")) << text;
  EXPECT_TRUE(text.contains("40 measurements of 30 cells in 5 configurations")) << text;
}

TEST(VariantsText, tells_how_probable_it_is_that_there_is_nothing) {
  variants::Finding found = example();
  found.answer.changes.clear();
  EXPECT_TRUE(variants_text(found, false)
                  .starts_with("No change of 10 % or more was found; the probability that there is "
                               "none is 96.0 %.\n"));
  EXPECT_EQ(variants::exit_status(found), 0);
  found.answer.done = 0.4;
  found.effort.budget_spent = true;
  EXPECT_TRUE(variants_text(found, false).contains("The time was over before it was done"));
  EXPECT_EQ(variants::exit_status(found), 3);
  found.answer.cells = 0;
  EXPECT_TRUE(variants_text(found, false).starts_with("Nothing was measured"));
  EXPECT_EQ(variants::exit_status(found), 4);
}

TEST(VariantsText, tells_where_program_and_constraints_disagree) {
  variants::Finding found = example();
  found.disagreements = {{.kind = variants::Disagreement::Kind::Refused,
                          .constraint = "cache and not compress",
                          .example = "cache",
                          .configurations = 3,
                          .said = "no"},
                         {.kind = variants::Disagreement::Kind::Accepted,
                          .constraint = "cache implies compress",
                          .example = "cache",
                          .configurations = 1,
                          .said = {}}};
  const std::string text = variants_text(found, false);
  EXPECT_TRUE(text.contains("The program refuses all 3 configurations with cache and not compress, "
                            "which the constraints allow (no)."))
      << text;
  EXPECT_TRUE(text.contains("The program accepts what 'cache implies compress' forbids")) << text;
}

TEST(VariantsJson, carries_the_same) {
  const auto document = Json::parse(variants_json(example(), "p", "1"));
  EXPECT_EQ(document["sentence"], variants_sentence(example()));
  EXPECT_EQ(document["better"], "lower");
  EXPECT_EQ(document["advice"], "");
  EXPECT_EQ(document["document"], "variants");
  EXPECT_EQ(document["status"], 1);
  const auto& change = document["changes"][0];
  EXPECT_EQ(change["commits"].size(), 2U);
  EXPECT_EQ(change["commits"][1]["commit"], "cccc");
  EXPECT_EQ(change["condition"], "compress and not cache");
  EXPECT_EQ(change["on"][0], "compress");
  EXPECT_EQ(change["off"][0], "cache");
  EXPECT_EQ(change["worse"], true);
  EXPECT_NEAR(change["probability"].get<double>(), 0.81, 1e-9);
  EXPECT_EQ(change["options"][1]["on"], false);
  EXPECT_EQ(document["not_built"][0]["subject"], "break it");
  EXPECT_EQ(document["not_built"][0]["position"], 1);
  EXPECT_EQ(document["disagreements"][0]["sentence"],
            disagreement_sentence(example().disagreements.front()));
}

TEST(VariantsJson, carries_what_was_measured) {
  const auto document = Json::parse(variants_json(example(), "p", "1"));
  EXPECT_EQ(document["configurations"], Json::parse(R"([["compress"], []])"));
  EXPECT_EQ(document["visited"],
            Json::parse(R"([{"position": 0, "commit": "aaaa", "subject": "begin"},
                            {"position": 2, "commit": "cccc", "subject": "go on"}])"));
  ASSERT_EQ(document["cells"].size(), 4U);
  EXPECT_EQ(document["cells"][1],
            Json::parse(R"({"configuration": 0, "position": 2, "value": 1.25, "runs": 2})"));
  EXPECT_EQ(document["cells"][2],
            Json::parse(R"({"configuration": 1, "position": 0, "value": 0.5, "runs": 1})"));
}

TEST(VariantsJson, has_no_cells_where_nothing_was_measured) {
  variants::Finding found = example();
  found.answer.rows.clear();
  const auto document = Json::parse(variants_json(found, "p", "1"));
  EXPECT_EQ(document["cells"], Json::array());
  EXPECT_EQ(document["configurations"], Json::array());
  EXPECT_EQ(document["visited"], Json::array());
}

// What the page reads is what is written here: its tests open this sample. To renew it after a
// change that is meant, run this test with DRAGNET_RENEW_SAMPLES=1 and look at the difference.
TEST(VariantsJson, is_the_sample_that_the_page_is_tested_with) {
  const auto path = fakes::source_folder() / "web/tests/samples/variants.json";
  const std::string made = variants_json(example(), "larder", "1.0");
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing runs beside a test
  if (std::getenv("DRAGNET_RENEW_SAMPLES") != nullptr) {
    ASSERT_TRUE(write_file(path, made));
  }
  const auto kept = read_file(path);
  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_EQ(*kept, made);
}

TEST(Contents, holds_a_search_over_options_and_no_machine_where_none_measured) {
  Contents contents;
  EXPECT_FALSE(Json::parse(contents_json(contents, "1.0")).contains("variants"));
  contents.variants = variants_json(example(), "larder", "1.0");
  const auto from_table = Json::parse(contents_json(contents, "1.0"));
  EXPECT_EQ(from_table["variants"], Json::parse(contents.variants));
  EXPECT_FALSE(from_table.contains("machine"));
  contents.machine.key = "m";
  EXPECT_EQ(Json::parse(contents_json(contents, "1.0"))["machine"]["key"], "m");
}

} // namespace
} // namespace dragnet::report
