#include "analysis/select/threshold_predictor.h"

#include "analysis/select/cheapest_cover.h"
#include "analysis/select/indicators.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::select {
namespace {

// The indicator and threshold that cover a hit at the lowest price (lines 2 to 15).
struct Offer {
  std::size_t indicator = 0;
  double threshold = 0;
  std::size_t price = 0;
};

std::size_t reaching(std::span<const Indicators> pairs, std::size_t indicator, double threshold) {
  return static_cast<std::size_t>(std::ranges::count_if(
      pairs, [&](const Indicators& pair) { return pair.at(indicator) >= threshold; }));
}

Offer best_offer(const Indicators& hit, std::span<const Indicators> dismissed) {
  Offer best{.indicator = 0, .threshold = 0, .price = dismissed.size() + 1};
  for (std::size_t indicator = 0; indicator < indicator_count; ++indicator) {
    const double threshold = hit.at(indicator);
    const std::size_t price = reaching(dismissed, indicator, threshold);
    if (price < best.price)
      best = {.indicator = indicator, .threshold = threshold, .price = price};
  }
  return best;
}

bool fires_at(const Indicators& indicators, const Thresholds& thresholds) {
  for (std::size_t i = 0; i < indicator_count; ++i)
    if (indicators.at(i) >= thresholds.at(i))
      return true;
  return false;
}

Thresholds none() {
  Thresholds thresholds;
  thresholds.fill(takes_no_part);
  return thresholds;
}

// Lines 16 to 30. Of several thresholds for one indicator only the lowest matters.
Thresholds greedy(std::span<const Indicators> hits, std::span<const Indicators> dismissed) {
  std::vector<Offer> offers;
  offers.reserve(hits.size());
  for (const Indicators& hit : hits)
    offers.push_back(best_offer(hit, dismissed));
  Thresholds thresholds = none();
  std::vector<std::size_t> uncovered(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i)
    uncovered[i] = i;
  while (!uncovered.empty()) {
    const auto dearest =
        std::ranges::max_element(uncovered, {}, [&](std::size_t hit) { return offers[hit].price; });
    const Offer& offer = offers[*dearest];
    thresholds.at(offer.indicator) = std::min(thresholds.at(offer.indicator), offer.threshold);
    std::erase_if(uncovered, [&](std::size_t hit) { return fires_at(hits[hit], thresholds); });
  }
  return thresholds;
}

} // namespace

bool ThresholdPredictor::fires(const Indicators& indicators) const {
  return std::ranges::any_of(any, [&](const Threshold& threshold) {
    return indicators.at(static_cast<std::size_t>(threshold.indicator)) >= threshold.at_least;
  });
}

ThresholdPredictor learn_thresholds(std::span<const Indicators> hits,
                                    std::span<const Indicators> dismissed, Search search) {
  Cover cover{.thresholds = greedy(hits, dismissed)};
  if (search == Search::Cheapest)
    cover = cheapest_cover(hits, dismissed, cover.thresholds);
  ThresholdPredictor predictor{.any = {},
                               .hits = hits.size(),
                               .dismissed = dismissed.size(),
                               .cheapest_is_known = cover.cheapest_is_known};
  for (std::size_t i = 0; i < indicator_count; ++i)
    if (cover.thresholds.at(i) != takes_no_part)
      predictor.any.push_back(
          {.indicator = static_cast<Indicator>(i), .at_least = cover.thresholds.at(i)});
  predictor.price = static_cast<std::size_t>(std::ranges::count_if(
      dismissed, [&](const Indicators& pair) { return predictor.fires(pair); }));
  return predictor;
}

} // namespace dragnet::select
