#include "analysis/change_points/noise.h"

#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::change_points {
namespace {

constexpr double to_deviation = 1.4826; // of normal noise, from its median distance

// The deviation of differences over so many points, robustly. Where most are 0, values are counts
// that repeat, and it is 0, or come from a coarse clock, and then the others tell.
double difference(std::span<const Point> points, std::size_t over) {
  std::vector<double> distances;
  for (std::size_t i = over; i < points.size(); ++i)
    distances.push_back(std::abs(points[i].value - points[i - over].value));
  if (distances.empty())
    return 0;
  const double middle = stats::median(distances);
  if (middle > 0)
    return to_deviation * middle;
  constexpr double of_coarse_clock = 0.2; // so many differ at least
  const auto all = static_cast<double>(distances.size());
  std::erase(distances, 0.0);
  return static_cast<double>(distances.size()) < of_coarse_clock * all
             ? 0
             : to_deviation * stats::median(distances);
}

// What the repetitions say of the deviation of a point; 0 where there are none.
double repeated(std::span<const Point> points) {
  std::vector<double> deviations;
  for (const Point& point : points)
    if (point.runs > 1)
      deviations.push_back(point.deviation / std::sqrt(static_cast<double>(point.runs)));
  return deviations.empty() ? 0 : stats::median(deviations);
}

} // namespace

Noise estimate_noise(std::span<const Point> points) {
  constexpr double most_memory = 0.8;
  const double one = difference(points, 1);
  const double two = difference(points, 2);
  Noise noise;
  if (one > 0 && points.size() > 2) {
    const double seen = std::min((two * two / (one * one)) - 1, 1.0);
    const double chance = 4 / std::sqrt(static_cast<double>(points.size()));
    noise.memory = std::clamp(seen - chance, 0.0, most_memory);
  }
  noise.deviation = one / std::sqrt(2 * (1 - noise.memory));
  const double own = repeated(points);
  if (own > 0)
    noise.deviation = std::clamp(noise.deviation, own, 3 * own);
  double largest = 0;
  for (const Point& point : points)
    largest = std::max(largest, std::abs(point.value));
  noise.deviation = std::max({noise.deviation, 1e-9 * largest, 1e-300});
  return noise;
}

} // namespace dragnet::change_points
