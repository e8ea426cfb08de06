// The fittest individuals, each chromosome once.
#pragma once

#include "analysis/provoke/chromosome.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dragnet::provoke {

/// Sorts by a number of each individual, the highest first, removes what occurs twice, and keeps so
/// many.
template <class Number>
void keep_best(std::vector<Individual>& individuals, std::size_t count, const Number& number_of) {
  std::ranges::stable_sort(individuals, [&](const Individual& a, const Individual& b) {
    return number_of(a) > number_of(b);
  });
  std::vector<Individual> kept;
  for (auto& individual : individuals) {
    if (kept.size() == count)
      break;
    const bool known = std::ranges::any_of(
        kept, [&](const Individual& other) { return other.chromosome == individual.chromosome; });
    if (!known)
      kept.push_back(std::move(individual));
  }
  individuals = std::move(kept);
}

inline void keep_fittest(std::vector<Individual>& individuals, std::size_t count) {
  keep_best(individuals, count, [](const Individual& each) { return each.score.mean; });
}

} // namespace dragnet::provoke
