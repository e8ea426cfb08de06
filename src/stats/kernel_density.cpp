#include "stats/kernel_density.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace dragnet::stats {
namespace {

constexpr double hardly_possible = 1e-300;

double log_likelihood(std::span<const double> density, std::span<const std::size_t> numbers,
                      double normaliser) {
  double sum = 0;
  for (const std::size_t number : numbers)
    sum += std::log(std::max(density[number] / normaliser, hardly_possible));
  return sum;
}

} // namespace

// From both ends at once: each step of one sum waits for the one before it, but not for the
// other's.
std::vector<double> exponential_density(std::span<const double> counts, double bandwidth) {
  const double decay = std::exp(-1 / bandwidth);
  const std::size_t places = counts.size();
  std::vector<double> density(places);
  std::vector<double> behind(places);
  double forward = 0;
  double backward = 0;
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t j = places - 1 - i;
    density[i] = forward = (forward * decay) + counts[i];
    behind[j] = backward;
    backward = (backward + counts[j]) * decay;
  }
  for (std::size_t i = 0; i < places; ++i)
    density[i] += behind[i];
  return density;
}

double bandwidth_by_folds(std::span<const std::size_t> numbers, std::size_t places,
                          std::span<const double> bandwidths, std::size_t folds) {
  std::vector<double> counts(places, 0);
  for (const std::size_t number : numbers)
    ++counts[number];
  double best = bandwidths.front();
  double best_likelihood = -std::numeric_limits<double>::infinity();
  for (const double bandwidth : bandwidths) {
    double likelihood = 0;
    for (std::size_t fold = 0; fold < folds; ++fold) {
      const std::size_t from = numbers.size() * fold / folds;
      const auto tested = numbers.subspan(from, (numbers.size() * (fold + 1) / folds) - from);
      for (const std::size_t number : tested)
        --counts[number];
      const auto others = static_cast<double>(numbers.size() - tested.size());
      likelihood += log_likelihood(exponential_density(counts, bandwidth), tested,
                                   2 * bandwidth * std::max(1.0, others));
      for (const std::size_t number : tested)
        ++counts[number];
    }
    if (likelihood > best_likelihood) {
      best_likelihood = likelihood;
      best = bandwidth;
    }
  }
  return best;
}

} // namespace dragnet::stats
