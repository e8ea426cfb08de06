#include "check/track.h"

#include "analysis/change_points/detector.h"
#include "analysis/change_points/noise.h"
#include "analysis/change_points/timeline.h"
#include "check/failure.h"
#include "model/run.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

using change_points::Point;
using change_points::Series;

double deviation_of(const std::vector<double>& values) {
  if (values.size() < 2)
    return 0;
  double mean = 0;
  for (const double value : values)
    mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<Point> point_of(std::size_t position, const std::vector<Run>& runs,
                              const std::string& metric) {
  std::vector<double> values;
  for (const Run& run : runs)
    if (const auto value = run.samples.find(metric);
        value != run.samples.end() && std::isfinite(value->second))
      values.push_back(value->second);
  if (values.empty())
    return std::nullopt;
  return Point{position, stats::median(values), values.size(), deviation_of(values)};
}

// What the difference of two points of a series must exceed: the effect that matters, and the noise
// of two medians, from the usual spread of repetitions.
bool differ(const Series& series, const Point& before, const Point& after) {
  constexpr double deviations = 4;
  std::vector<double> spreads;
  spreads.reserve(series.points.size());
  for (const Point& point : series.points)
    spreads.push_back(point.deviation / std::sqrt(static_cast<double>(point.runs)));
  const double noise = std::numbers::sqrt2 * stats::median(spreads);
  const double difference = std::abs(after.value - before.value);
  return difference > deviations * noise &&
         difference >= series.smallest_effect * std::abs(before.value);
}

bool series_moves(const Series& series, std::size_t before, std::size_t after) {
  const auto first = std::ranges::find(series.points, before, &Point::position);
  const auto second = std::ranges::find(series.points, after, &Point::position);
  if (first == series.points.end() || second == series.points.end())
    return false;
  return differ(series, *first, *second) ||
         std::ranges::any_of(series.changes, [&](const change_points::Change& change) {
           return series.points[change.index].position == after;
         });
}

Target target_near(std::size_t stage, std::size_t position, std::size_t reach, std::size_t last) {
  return {stage, position, position - std::min(position, reach), std::min(last, position + reach)};
}

} // namespace

std::vector<Target> spread_targets(std::size_t length) {
  // As many parts as the length has roots, at least 8: a thousand commits are looked at in 33.
  constexpr std::size_t least_parts = 8;
  std::size_t parts = least_parts;
  while (parts * parts < length)
    parts *= 2;
  const std::size_t last = length - 1;
  const std::size_t reach = last / (2 * parts);
  std::vector<Target> targets{target_near(0, 0, reach, last), target_near(0, last, reach, last)};
  std::size_t stage = 1;
  for (std::size_t step = 2; step <= parts; step *= 2, ++stage)
    for (std::size_t i = 1; i < step; i += 2)
      targets.push_back(target_near(stage, ((last * i) + (step / 2)) / step, reach, last));
  return targets;
}

std::vector<Target> regular_targets(std::size_t length, std::size_t every) {
  std::vector<Target> targets;
  for (std::size_t position = 0; position < length; position += every)
    targets.push_back({0, position, position, position});
  if ((length - 1) % every != 0)
    targets.push_back({0, length - 1, length - 1, length - 1});
  return targets;
}

void Track::take(std::size_t position, const std::vector<Run>& runs) {
  const auto failed = std::ranges::find_if_not(runs, &Run::finished);
  tried_[position] = failed == runs.end();
  for (Series& series : series_) {
    const auto point = point_of(position, runs, series.metric.name);
    if (failed != runs.end() || !point) {
      series.gaps[position] =
          failed != runs.end() ? why_unusable(*failed) : "has no value of " + series.metric.name;
      continue;
    }
    const auto after = std::ranges::upper_bound(series.points, position, {}, &Point::position);
    series.points.insert(after, *point);
    change_points::find_changes(series);
  }
}

bool Track::reached(const Target& target) const {
  return std::ranges::any_of(tried_, [&](const auto& one) {
    return one.second && one.first >= target.low && one.first <= target.high;
  });
}

// The position nearest to the one wanted, of those from low to high, that was not tried.
std::optional<std::size_t> Track::untried_near(std::size_t wanted, std::size_t low,
                                               std::size_t high) const {
  for (std::size_t away = 0; away <= high - low; ++away) {
    if (wanted >= low + away && !tried_.contains(wanted - away))
      return wanted - away;
    if (wanted + away <= high && !tried_.contains(wanted + away))
      return wanted + away;
  }
  return std::nullopt;
}

bool Track::moves(std::size_t before, std::size_t after) const {
  return std::ranges::any_of(
      series_, [&](const Series& series) { return series_moves(series, before, after); });
}

std::optional<Wish> Track::wish(const std::vector<Target>& targets, bool refine) const {
  for (const Target& target : targets) {
    if (reached(target))
      continue;
    if (const auto position = untried_near(target.position, target.low, target.high))
      return Wish{target.stage, *position};
  }
  const std::size_t refining = targets.size() + 1; // later than all stages
  std::optional<std::size_t> before;
  for (const auto& [position, measured] : tried_) {
    if (!measured || !refine)
      continue;
    if (before && position - *before > 1 && moves(*before, position))
      if (const auto middle = untried_near((*before + position) / 2, *before + 1, position - 1))
        return Wish{refining, *middle};
    before = position;
  }
  return std::nullopt;
}

} // namespace dragnet::check
