#include "analysis/select/learned_json.h"

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/methods.h"
#include "analysis/select/probability.h"
#include "analysis/select/select.h"
#include "analysis/select/threshold_predictor.h"
#include "fakes/planted_history.h"

#include <gtest/gtest.h>
#include <string>

namespace dragnet::select {
namespace {

TEST(LearnedJson, reads_back_equal) {
  const auto examples = fakes::PlantedHistory("planted", fakes::PlantedSize{}, 4).examples();
  Learned learned;
  learned.probability = learn_probability(all_of(examples), Aim{});
  learned.thresholds =
      learn_threshold_predictors(all_of(examples), Scope::PerBenchmark, Search::Greedy);
  const std::string text = to_json(learned);
  const auto read = learned_from_json(text);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(to_json(*read), text);
  for (const Example& example : examples) {
    EXPECT_EQ(probability(read->probability, example.features),
              probability(learned.probability, example.features));
    EXPECT_EQ(read->thresholds.of(example.benchmark).fires(example.indicators),
              learned.thresholds.of(example.benchmark).fires(example.indicators));
  }
}

TEST(LearnedJson, of_nothing_reads_back_as_untrained) {
  const auto read = learned_from_json(to_json(Learned{}));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_FALSE(read->probability.trained);
}

TEST(LearnedJson, says_what_is_wrong) {
  const auto mistake = [](const std::string& text) { return learned_from_json(text).error().what; };
  EXPECT_EQ(mistake("{}"),
            "cannot read what was learned: 'version' is missing or of the wrong kind");
  EXPECT_EQ(mistake(R"({"version": 9})"),
            "cannot read what was learned: it is of version 9, not 1");
  EXPECT_FALSE(learned_from_json("[1, 2"));
  EXPECT_FALSE(learned_from_json("[1, 2]"));
  std::string text = to_json(Learned{});
  text.replace(text.find("\"run_from\": 0.0"), 15, "\"run_from\": []");
  EXPECT_EQ(mistake(text),
            "cannot read what was learned: 'run_from' is missing or of the wrong kind");
}

} // namespace
} // namespace dragnet::select
