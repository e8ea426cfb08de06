#include "analysis/select/threshold_predictor.h"

#include "analysis/select/cheapest_cover.h"
#include "analysis/select/indicators.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace dragnet::select {
namespace {

struct TrainingPairs {
  std::vector<Indicators> hits;
  std::vector<Indicators> dismissed;
};

Indicators pair(double deleted, double added) {
  return {deleted, added};
}

// Small sets of whole numbers in the first few indicators; the others are 0.
TrainingPairs random_pairs(std::mt19937_64& random) {
  const std::size_t used = 2 + (random() % 3);
  const std::size_t values = 3 + (random() % 8);
  const auto draw = [&] {
    Indicators indicators{};
    for (std::size_t i = 0; i < used; ++i)
      indicators.at(i) = static_cast<double>(random() % values);
    return indicators;
  };
  TrainingPairs pairs;
  for (std::size_t i = 1 + (random() % 5); i > 0; --i)
    pairs.hits.push_back(draw());
  for (std::size_t i = 1 + (random() % 20); i > 0; --i)
    pairs.dismissed.push_back(draw());
  return pairs;
}

bool fires(const Thresholds& thresholds, const Indicators& pair) {
  return !std::ranges::equal(pair, thresholds, std::ranges::less{});
}

std::size_t price_of(const Thresholds& thresholds, const TrainingPairs& pairs) {
  return static_cast<std::size_t>(std::ranges::count_if(
      pairs.dismissed, [&](const Indicators& pair) { return fires(thresholds, pair); }));
}

// Tries, for each indicator from this one on, the value of every hit and to leave it out.
std::size_t best_price(std::size_t indicator, Thresholds thresholds, const TrainingPairs& pairs) {
  if (indicator == 4) {
    const bool covers = std::ranges::all_of(
        pairs.hits, [&](const Indicators& hit) { return fires(thresholds, hit); });
    return covers ? price_of(thresholds, pairs) : pairs.dismissed.size() + 1;
  }
  thresholds.at(indicator) = takes_no_part;
  std::size_t best = best_price(indicator + 1, thresholds, pairs);
  for (const Indicators& hit : pairs.hits) {
    thresholds.at(indicator) = hit.at(indicator);
    best = std::min(best, best_price(indicator + 1, thresholds, pairs));
  }
  return best;
}

std::size_t optimum(const TrainingPairs& pairs) {
  Thresholds none;
  none.fill(takes_no_part);
  return best_price(0, none, pairs);
}

bool covers_all(const ThresholdPredictor& predictor, const TrainingPairs& pairs) {
  return std::ranges::all_of(pairs.hits,
                             [&](const Indicators& hit) { return predictor.fires(hit); });
}

struct Comparison {
  std::size_t sets = 0;
  std::size_t optimal = 0;
  std::size_t within = 0; // 1.2 times the optimum
  std::size_t uncovered = 0;
  double price = 0;
  double least = 0;
};

Comparison against_optimum(Search search) {
  std::mt19937_64 random(2017);
  Comparison comparison;
  for (std::size_t set = 0; set < 1000; ++set) {
    const TrainingPairs pairs = random_pairs(random);
    const ThresholdPredictor predictor = learn_thresholds(pairs.hits, pairs.dismissed, search);
    const std::size_t least = optimum(pairs);
    ++comparison.sets;
    comparison.optimal += predictor.price == least ? 1 : 0;
    comparison.within +=
        static_cast<double>(predictor.price) <= 1.2 * static_cast<double>(least) ? 1 : 0;
    comparison.uncovered += covers_all(predictor, pairs) ? 0 : 1;
    comparison.price += static_cast<double>(predictor.price);
    comparison.least += static_cast<double>(least);
  }
  return comparison;
}

void record(const Comparison& comparison) {
  testing::Test::RecordProperty("optimal", static_cast<int>(comparison.optimal));
  testing::Test::RecordProperty("within_1_2", static_cast<int>(comparison.within));
  testing::Test::RecordProperty("price_ratio", std::to_string(comparison.price / comparison.least));
}

// Table II of Oliveira et al. 2017.
TEST(Thresholds, are_those_of_the_published_example) {
  const std::vector<Indicators> hits = {pair(5, 9), pair(10, 1)};
  const std::vector<Indicators> dismissed = {pair(5, 3)};
  for (const Search search : {Search::Greedy, Search::Cheapest}) {
    const ThresholdPredictor predictor = learn_thresholds(hits, dismissed, search);
    EXPECT_EQ(predictor.price, 0);
    EXPECT_TRUE(predictor.fires(hits[0]) && predictor.fires(hits[1]));
    EXPECT_FALSE(predictor.fires(dismissed[0]));
  }
  const ThresholdPredictor greedy = learn_thresholds(hits, dismissed, Search::Greedy);
  EXPECT_EQ(greedy.any, (std::vector<Threshold>{{Indicator::Deleted, 10}, {Indicator::New, 9}}));
}

TEST(Thresholds, without_hits_never_fire_and_say_so) {
  const std::vector<Indicators> dismissed = {pair(1, 1)};
  for (const Search search : {Search::Greedy, Search::Cheapest}) {
    const ThresholdPredictor predictor = learn_thresholds({}, dismissed, search);
    EXPECT_FALSE(predictor.trained());
    EXPECT_FALSE(predictor.fires(pair(1e9, 1e9)));
  }
}

TEST(Thresholds, without_dismissed_pairs_cost_nothing) {
  const std::vector<Indicators> hits = {pair(3, 0), pair(0, 0)};
  const ThresholdPredictor predictor = learn_thresholds(hits, {}, Search::Greedy);
  EXPECT_EQ(predictor.price, 0);
  EXPECT_TRUE(predictor.fires(hits[0]) && predictor.fires(hits[1]));
}

TEST(CheapestThresholds, are_optimal_on_small_sets) {
  const Comparison comparison = against_optimum(Search::Cheapest);
  record(comparison);
  EXPECT_EQ(comparison.uncovered, 0);
  EXPECT_EQ(comparison.within, comparison.sets);
  EXPECT_EQ(comparison.optimal, comparison.sets);
}

// The published search is not always within 1.2 times the optimal price: covering the dearest hit
// at its own lowest price can leave hits that a dearer threshold would have covered as well.
TEST(GreedyThresholds, cover_every_hit_and_are_mostly_near_the_optimum) {
  const Comparison comparison = against_optimum(Search::Greedy);
  record(comparison);
  EXPECT_EQ(comparison.uncovered, 0);
  EXPECT_GE(comparison.within, 950);
  EXPECT_LT(comparison.within, comparison.sets);
}

TEST(CheapestThresholds, are_found_for_a_training_set_of_real_size) {
  std::mt19937_64 random(5);
  TrainingPairs pairs;
  const auto draw = [&] {
    Indicators indicators{};
    for (double& value : indicators)
      value = static_cast<double>(random() % 100);
    return indicators;
  };
  for (std::size_t i = 0; i < 60; ++i)
    pairs.hits.push_back(draw());
  for (std::size_t i = 0; i < 2000; ++i)
    pairs.dismissed.push_back(draw());
  const auto greedy = learn_thresholds(pairs.hits, pairs.dismissed, Search::Greedy);
  const auto cheapest = learn_thresholds(pairs.hits, pairs.dismissed, Search::Cheapest);
  EXPECT_TRUE(covers_all(greedy, pairs));
  EXPECT_TRUE(covers_all(cheapest, pairs));
  EXPECT_LE(cheapest.price, greedy.price);
}

} // namespace
} // namespace dragnet::select
