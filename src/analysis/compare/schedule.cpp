#include "analysis/compare/schedule.h"

#include "analysis/compare/judge.h"
#include "base/ensure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <tuple>

namespace dragnet::compare {
namespace {

// No test decides on fewer pairs than about this many; before, the interval says nothing.
constexpr double fewest_pairs = 10;

// What took long is likely to take longer than the interval promises: it shrinks slowly near the
// end, and a regression is confirmed before it is announced. Without this, one doubtful benchmark
// eats the time in which others, or its own instructions, would be decided.
constexpr double least_rest = 0.5;

// Even what will hardly have changed gets a turn in the end.
constexpr double least_worth = 0.01;

auto rank_of(const Opportunity& opportunity) {
  const double worth = std::max(opportunity.worth, least_worth);
  const bool untried = opportunity.pair_seconds == 0;
  const double seconds = std::max(opportunity.pair_seconds, 1e-6) * opportunity.pairs_left;
  return std::tuple(untried, untried ? worth : worth / seconds);
}

} // namespace

double pairs_to_decision(const Assessment& assessment, double smallest_effect) {
  const auto pairs = static_cast<double>(assessment.pairs);
  const double width = std::log1p(assessment.high) - std::log1p(assessment.low);
  const double effect = std::log1p(smallest_effect);
  const double change = std::abs(std::log1p(assessment.change));
  if (pairs < fewest_pairs)
    return fewest_pairs - pairs;
  // It is decided once the interval leaves out 0, or lies within the smallest effect.
  const double margin = std::max({change, effect - change, effect / 10});
  const double needed = pairs * std::pow(width / 2 / margin, 2);
  return std::max({1.0, needed - pairs, pairs * least_rest});
}

std::size_t best(std::span<const Opportunity> opportunities) {
  ensure(!opportunities.empty(), "something must be left to measure");
  const auto found = std::ranges::max_element(opportunities, {}, rank_of);
  return static_cast<std::size_t>(found - opportunities.begin());
}

} // namespace dragnet::compare
