#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace dragnet::stats {

double quantile(std::span<const double> values, double share) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> parted(values.begin(), values.end());
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(parted.size() - 1);
  const double rest = position - std::floor(position);
  const auto below = parted.begin() + static_cast<std::ptrdiff_t>(position);
  std::ranges::nth_element(parted, below);
  return rest == 0 ? *below : std::lerp(*below, *std::min_element(below + 1, parted.end()), rest);
}

double median(std::span<const double> values) {
  return quantile(values, 0.5);
}

double mad(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values)
    distances.push_back(std::abs(value - centre));
  return median(distances);
}

double pseudo_median(std::span<const double> values) {
  constexpr std::size_t most_values = 1000; // half a million means
  if (values.size() > most_values)
    return median(values);
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j)
      means.push_back((values[i] + values[j]) / 2);
  return median(means);
}

} // namespace dragnet::stats
