#include "analysis/select/probability.h"

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/features.h"
#include "analysis/select/folds.h"
#include "analysis/select/methods.h"
#include "fakes/planted_history.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace dragnet::select {
namespace {

using fakes::PlantedHistory;
using fakes::PlantedSize;

std::vector<Example> planted(std::size_t commits, std::uint64_t seed) {
  return PlantedHistory("planted", PlantedSize{.commits = commits}, seed).examples();
}

const Train& train_of(const std::vector<Trainer>& all, const std::string& name) {
  return std::ranges::find(all, name, &Trainer::name)->train;
}

Features touched(double share) {
  Features features{};
  features.at(static_cast<std::size_t>(Feature::TouchedFunctions)) = 1;
  features.at(static_cast<std::size_t>(Feature::TouchedShare)) = share;
  features.at(static_cast<std::size_t>(Feature::EditedShare)) = share;
  return features;
}

TEST(Probability, of_an_untrained_predictor_runs_what_executes_changed_code) {
  const ProbabilityPredictor untrained;
  EXPECT_FALSE(must_run(untrained, Features{}));
  EXPECT_EQ(probability(untrained, Features{}), 0);
  EXPECT_TRUE(must_run(untrained, touched(1e-6)));
  EXPECT_LT(probability(untrained, touched(0.001)), probability(untrained, touched(0.1)));
}

TEST(Probability, is_not_learned_from_too_few_hits) {
  std::vector<Example> examples = planted(100, 1);
  std::size_t kept = 0;
  for (Example& example : examples)
    if (example.truth == Truth::Hit && ++kept >= fewest_hits)
      example.truth = Truth::Unknown;
  EXPECT_FALSE(learn_probability(all_of(examples), Aim{}).trained);
  EXPECT_FALSE(learn_probability({}, Aim{}).trained);
}

TEST(Probability, is_the_same_when_learned_again) {
  const std::vector<Example> examples = planted(150, 2);
  const ProbabilityPredictor first = learn_probability(all_of(examples), Aim{});
  const ProbabilityPredictor again = learn_probability(all_of(examples), Aim{});
  ASSERT_TRUE(first.trained);
  EXPECT_EQ(first.run_from, again.run_from);
  for (const Example& example : examples)
    EXPECT_EQ(probability(first, example.features), probability(again, example.features));
}

TEST(Probability, never_falls_with_more_of_a_feature) {
  const std::vector<Example> examples = planted(150, 3);
  const ProbabilityPredictor predictor = learn_probability(all_of(examples), Aim{});
  for (const Example& example : examples) {
    if (!any_reached(example.features))
      continue;
    const double before = probability(predictor, example.features);
    EXPECT_TRUE(before >= 0 && before <= 1);
    for (std::size_t i = 0; i < feature_count; ++i) {
      Features more = example.features;
      more.at(i) = (more.at(i) * 2) + 0.01;
      EXPECT_GE(probability(predictor, more), before);
    }
  }
}

TEST(Probability, beyond_what_was_learned_is_run) {
  const std::vector<Example> examples = planted(150, 4);
  const ProbabilityPredictor predictor = learn_probability(all_of(examples), Aim{});
  ASSERT_TRUE(predictor.trained);
  Features features = touched(1e-7);
  EXPECT_FALSE(must_run(predictor, features));
  features.at(static_cast<std::size_t>(Feature::LibraryShare)) = 1e-9;
  EXPECT_EQ(beyond_training(predictor, features), Feature::LibraryShare);
  EXPECT_TRUE(must_run(predictor, features));
}

// Of held-out pairs that are given probabilities in a range, about that many are hits.
TEST(Probability, is_calibrated_on_histories_that_were_not_trained_on) {
  double expected = 0;
  double seen = 0;
  double expected_high = 0;
  double seen_high = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::vector<Example> examples = planted(300, 50 + seed);
    const Examples all = all_of(examples);
    const auto predictor = learn_probability(
        where(all, [](const Example& example) { return example.position <= 200; }), Aim{});
    for (const Example* example : all) {
      if (example->position <= 200 || !any_reached(example->features))
        continue;
      const double p = probability(predictor, example->features);
      const double hit = example->truth == Truth::Hit ? 1 : 0;
      (p < 0.2 ? expected : expected_high) += p;
      (p < 0.2 ? seen : seen_high) += hit;
    }
  }
  EXPECT_NEAR(seen / expected, 1, 0.35);
  EXPECT_NEAR(seen_high / expected_high, 1, 0.25);
}

struct HeldOut {
  double probability = 0;
  bool hit = false;
  bool run = false;
};

// The probabilities of examples by predictors that did not see their commits.
std::vector<HeldOut> held_out(const std::vector<Example>& examples) {
  std::vector<HeldOut> result;
  std::mt19937_64 random(1);
  for (const Fold& fold : folds_by_commit(all_of(examples), 10, random)) {
    const ProbabilityPredictor predictor = learn_probability(fold.training, Aim{});
    for (const Example* example : fold.tested)
      result.push_back({.probability = probability(predictor, example->features),
                        .hit = example->truth == Truth::Hit,
                        .run = must_run(predictor, example->features)});
  }
  return result;
}

// The share of others that lie below what this share of the hits reaches.
double dismissed_at(std::vector<HeldOut> all, double hit_rate) {
  std::ranges::sort(all, {}, &HeldOut::probability);
  const auto hits = static_cast<double>(std::ranges::count_if(all, &HeldOut::hit));
  double missed = 0;
  double dismissed = 0;
  for (const HeldOut& one : all) {
    missed += one.hit ? 1 : 0;
    if (missed > (1 - hit_rate) * hits + 1e-9)
      break;
    dismissed += one.hit ? 0 : 1;
  }
  return dismissed / (static_cast<double>(all.size()) - hits);
}

void add(Score& sum, const Score& part) {
  sum.hit.good += part.hit.good;
  sum.hit.cases += part.hit.cases;
  sum.dismiss.good += part.dismiss.good;
  sum.dismiss.cases += part.dismiss.cases;
}

// Over six planted histories with some 18 hits each, by ten folds.
TEST(Probability, finds_more_than_thresholds_and_where_it_finds_as_much_dismisses_more) {
  const std::vector<Trainer> all = trainers();
  Score evidence;
  Score thresholds;
  std::vector<HeldOut> probabilities;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::vector<Example> examples = planted(200, 10 + seed);
    const Division division{.repetitions = 1};
    add(thresholds, cross_validated(train_of(all, "perphecy"), all_of(examples), division));
    const std::vector<HeldOut> more = held_out(examples);
    probabilities.insert(probabilities.end(), more.begin(), more.end());
  }
  for (const HeldOut& one : probabilities) {
    Rate& rate = one.hit ? evidence.hit : evidence.dismiss;
    ++rate.cases;
    rate.good += one.hit == one.run ? 1 : 0;
  }
  const double as_good = dismissed_at(probabilities, thresholds.hit.value());
  RecordProperty("evidence_hit", std::to_string(evidence.hit.value()));
  RecordProperty("evidence_dismiss", std::to_string(evidence.dismiss.value()));
  RecordProperty("perphecy_hit", std::to_string(thresholds.hit.value()));
  RecordProperty("perphecy_dismiss", std::to_string(thresholds.dismiss.value()));
  RecordProperty("evidence_dismiss_at_perphecy_hit", std::to_string(as_good));
  // What training aims at, less two standard errors.
  const auto hits = static_cast<double>(evidence.hit.cases);
  const double aim = Aim{}.hit_rate;
  EXPECT_GE(evidence.hit.value(), aim - (2 * std::sqrt(aim * (1 - aim) / hits)));
  EXPECT_GE(evidence.dismiss.value(), 0.7);
  EXPECT_GE(evidence.hit.value(), thresholds.hit.value() + 0.05);
  EXPECT_GE(as_good, thresholds.dismiss.value() + 0.03);
}

TEST(Probability, is_learned_from_five_thousand_examples_within_a_second) {
  const std::vector<Example> examples = planted(850, 7);
  ASSERT_GE(examples.size(), 5000);
  std::vector<Example> reached = examples;
  for (Example& example : reached)
    example.features.at(static_cast<std::size_t>(Feature::DataFunctions)) = 1;
  const std::clock_t start = std::clock();
  EXPECT_TRUE(learn_probability(all_of(reached), Aim{}).trained);
  const double spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", std::to_string(spent));
#ifdef NDEBUG
  EXPECT_LT(spent, 1); // of processor time
#endif
}

} // namespace
} // namespace dragnet::select
