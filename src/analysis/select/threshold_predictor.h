// Predicts a change of performance when any of some indicators reaches its threshold, and learns
// the thresholds so that every hit of the training set is covered at a low price. The price is the
// number of dismissed pairs that fire too. Idea and greedy search: Oliveira et al. 2017, section
// III-D and Algorithm 1.
#pragma once

#include "analysis/select/indicators.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::select {

struct Threshold {
  Indicator indicator = Indicator::Deleted;
  double at_least = 0;
  bool operator==(const Threshold&) const = default;
};

struct ThresholdPredictor {
  std::vector<Threshold> any;     ///< at most one per indicator, in the table's order
  std::size_t hits = 0;           ///< it was trained on
  std::size_t dismissed = 0;      ///< it was trained on
  std::size_t price = 0;          ///< how many of these fire
  bool cheapest_is_known = false; ///< whether no disjunction of the templates has a lower price

  bool fires(const Indicators& indicators) const;

  /// Without a hit in training it never fires, and its silence means nothing.
  bool trained() const { return hits > 0; }
};

/// How thresholds are searched for.
enum class Search : std::uint8_t {
  Greedy,  ///< Algorithm 1 as published, but that hits of price 0 are covered too
  Cheapest ///< the lowest price, or the lowest found within a limit of work
};

/// A predictor that fires for every hit. As published, but for hits of price 0: Algorithm 1 as
/// printed never selects one and so does not end. A threshold is a real number, the value of the
/// indicator for the hit that it was made for.
ThresholdPredictor learn_thresholds(std::span<const Indicators> hits,
                                    std::span<const Indicators> dismissed, Search search);

} // namespace dragnet::select
