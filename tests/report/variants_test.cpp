#include "report/variants.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/finding.h"
#include "base/json.h"
#include "model/metric.h"

#include <gtest/gtest.h>

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
}

} // namespace
} // namespace dragnet::report
