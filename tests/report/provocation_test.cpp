#include "report/provocation.h"

#include "analysis/provoke/answer.h"
#include "analysis/provoke/chromosome.h"
#include "base/json.h"
#include "model/metric.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::report {
namespace {

provoke::Answer answer() {
  provoke::Answer made;
  made.metric = metric_named("instructions");
  made.exact = true;
  made.strategy = "guided";
  made.length = 3;
  made.genes = {"put", "scan\n  all", "get"};
  made.outcome.evaluations = 30;
  made.outcome.generations = {{30, 100, 50, 0}, {78, 400, 200, 10}};
  provoke::Individual best{.chromosome = {0, 2, 1}, .score = {}};
  best.score.add(400);
  made.outcome.best = {best};
  made.outcome.compared = 30;
  made.best_base = 1000;
  provoke::Shrunk shrunk;
  shrunk.chromosome = {0, 1};
  shrunk.effect.add(390);
  shrunk.confirmed = true;
  made.shrunk = shrunk;
  made.shrunk_base = 900;
  made.slower = true;
  return made;
}

TEST(ProvocationText, shows_the_shortest_inputs_and_the_generations) {
  const auto text = provocation_text(answer(), false);
  EXPECT_TRUE(text.starts_with("2 inputs make")) << text;
  EXPECT_NE(text.find("  | put\n  | scan\n  |   all\n"), std::string::npos) << text;
  EXPECT_NE(text.find("best of each generation: ▃█"), std::string::npos) << text;
}

TEST(ProvocationText, says_so_where_nothing_was_found) {
  auto none = answer();
  none.slower = false;
  none.shrunk.reset();
  EXPECT_TRUE(provocation_text(none, false).starts_with("No inputs were found")) << "first";
  none.outcome.compared = 0;
  EXPECT_TRUE(provocation_text(none, false).starts_with("No sequence could be compared"));
}

TEST(ProvocationText, tells_one_of_each_that_could_not_be_compared) {
  using provoke::Ending;
  using provoke::Version;
  auto odd = answer();
  odd.outcome.not_compared = 3;
  odd.outcome.findings = {{{0}, Ending::Crashed, Version::New},
                          {{1}, Ending::Rejected, Version::Both},
                          {{2}, Ending::Crashed, Version::New}};
  const auto text = provocation_text(odd, false);
  EXPECT_NE(text.find("3 sequences could not be compared"), std::string::npos);
  EXPECT_NE(text.find("new crashed: a sequence of 1\n  | put"), std::string::npos) << text;
  EXPECT_NE(text.find("both rejected"), std::string::npos);
  EXPECT_EQ(text.find("new crashed", text.find("both rejected")), std::string::npos);
}

TEST(ProvocationJson, has_inputs_as_texts) {
  const auto json = Json::parse(provocation_json(answer(), "1"));
  EXPECT_EQ(json["document"], "provocation");
  EXPECT_EQ(json["shrunk"]["inputs"], Json::array({"put", "scan\n  all"}));
  EXPECT_EQ(json["generations"].size(), 2U);
}

} // namespace
} // namespace dragnet::report
