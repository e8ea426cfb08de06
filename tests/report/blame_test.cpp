#include "report/blame.h"

#include "analysis/blame/answer.h"
#include "base/json.h"
#include "model/function.h"
#include "model/metric.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::report {
namespace {

using blame::Answer;
using blame::Suspect;
using blame::Verification;

Suspect suspect(const std::string& name, double share, std::size_t rank) {
  Suspect made;
  made.function = {"program", name};
  made.place = SourcePlace{"src/" + name + ".c", 12};
  made.hunk = "@@ -1 +1 @@\n-old\n+new \x1b[31m\n";
  made.blame.executed = true;
  made.blame.credited = share;
  made.published_rank = rank;
  return made;
}

Answer answer() {
  Answer made;
  made.benchmark = "insert";
  made.old_commit.subject = "one";
  made.new_commit.subject = "two";
  made.runs = 3;
  made.old_cost = 1000;
  made.ranking.difference = 130;
  made.suspects = {suspect("count", 120, 2), suspect("first", 10, 1)};
  return made;
}

Verification verification() {
  Verification made;
  made.metric = metric_named("instructions");
  made.how = "counted once";
  made.old_value = 1e6;
  made.difference = 2e5;
  made.regressed = true;
  made.units.resize(2);
  made.units[0].name = "count";
  made.units[0].alone = blame::Trial{.effect = 1.9e5};
  made.units[0].without = blame::Trial{.outcome = blame::TrialOutcome::DoesNotBuild};
  made.units[0].share = 0.95;
  made.units[1].name = "first";
  made.culprits = {0};
  made.culprits_share = 0.95;
  return made;
}

TEST(BlameText, names_the_first_suspect_with_place_and_share) {
  const auto text = blame_text(answer(), {});
  EXPECT_TRUE(text.starts_with("insert: count (src/count.c:12) is the most to blame: +12.0 %"))
      << text;
  EXPECT_NE(text.find("| +new"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(BlameText, names_the_verified_culprit_and_its_share) {
  auto verified = answer();
  verified.verification = verification();
  const auto text = blame_text(verified, {});
  EXPECT_TRUE(text.starts_with("insert: count is to blame, verified: 95 % of the regression"))
      << text;
  EXPECT_NE(text.find("does not build"), std::string::npos);
  EXPECT_NE(text.find("(95 %)"), std::string::npos);
}

TEST(BlameText, says_so_where_nothing_got_worse) {
  auto same = answer();
  same.verification = verification();
  same.verification->regressed = false;
  same.verification->difference = 0;
  EXPECT_TRUE(blame_text(same, {}).starts_with("insert: not worse: instructions"));
  auto faster = answer();
  faster.suspects = {suspect("count", -5, 1)};
  EXPECT_NE(blame_text(faster, {}).find("no changed function costs more"), std::string::npos);
}

TEST(BlameJson, holds_suspects_and_what_was_tried) {
  auto verified = answer();
  verified.verification = verification();
  const auto json = Json::parse(blame_json(verified, "1"));
  EXPECT_EQ(json["document"], "blame");
  EXPECT_EQ(json["suspects"][0]["published_rank"], 2);
  EXPECT_EQ(json["verification"]["units"][0]["without"]["outcome"], "does not build");
  EXPECT_TRUE(json["verification"]["units"][1]["alone"].is_null());
  EXPECT_TRUE(Json::parse(blame_json(answer(), "1"))["verification"].is_null());
}

} // namespace
} // namespace dragnet::report
