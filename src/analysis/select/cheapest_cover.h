// The search for the thresholds that cover all hits at the lowest price.
#pragma once

#include "analysis/select/indicators.h"

#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace dragnet::select {

/// A threshold for each indicator; infinity where it takes no part.
using Thresholds = std::array<double, indicator_count>;

constexpr double takes_no_part = std::numeric_limits<double>::infinity();

struct Cover {
  Thresholds thresholds{};
  std::size_t price = 0;
  bool cheapest_is_known = false;
};

/// The cheapest cover of all hits, by branch and bound from a first cover: a hit that is not
/// covered yet must be by one of the indicators, which gives one branch each. After a fixed amount
/// of work the best cover so far is returned; it is never worse than the first.
Cover cheapest_cover(std::span<const Indicators> hits, std::span<const Indicators> dismissed,
                     const Thresholds& first);

} // namespace dragnet::select
