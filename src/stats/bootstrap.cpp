#include "stats/bootstrap.h"

#include "stats/interval.h"
#include "stats/quantiles.h"

#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace dragnet::stats {

Interval bootstrap_median(std::span<const double> values, const Resampling& resampling,
                          std::mt19937_64& random) {
  if (values.empty()) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    return {.low = nothing, .high = nothing};
  }
  std::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
  std::vector<double> drawn(values.size());
  std::vector<double> medians;
  medians.reserve(resampling.rounds);
  for (std::size_t round = 0; round < resampling.rounds; ++round) {
    for (double& value : drawn)
      value = values[any(random)];
    medians.push_back(median(drawn));
  }
  const double tail = (1 - resampling.confidence) / 2;
  return {.low = quantile(medians, tail), .high = quantile(medians, 1 - tail)};
}

} // namespace dragnet::stats
