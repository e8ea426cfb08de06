#include "analysis/change_points/detector.h"

#include "analysis/change_points/noise.h"
#include "analysis/change_points/segmentation.h"
#include "base/ensure.h"
#include "stats/classic.h"
#include "stats/distributions.h"
#include "stats/interval.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::change_points {
namespace {

// So many points on each side describe a change: enough to be sure, few enough to be fast.
constexpr std::size_t most_points = 100;

std::vector<double> values_of(std::span<const Point> points) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const Point& point : points)
    values.push_back(point.value);
  return values;
}

// The level that most points agree on: the mean without outliers, found from the median.
double level_of(std::span<const double> values, double reach) {
  const double middle = stats::median(values);
  double sum = 0;
  double count = 0;
  for (const double value : values)
    if (std::abs(value - middle) <= reach) {
      sum += value;
      ++count;
    }
  return count > 0 ? sum / count : middle;
}

double relative(double before, double after) {
  if (before == after)
    return 0;
  return before == 0 ? std::copysign(std::numeric_limits<double>::infinity(), after - before)
                     : (after - before) / std::abs(before);
}

// How improbable the difference is if there is none: by ranks where there are enough points for
// them to tell, and by the noise.
double p_value_of(std::span<const double> left, std::span<const double> right, double distance) {
  const double by_noise = 2 * stats::normal_cdf(-std::abs(distance));
  constexpr std::size_t enough = 8;
  if (std::min(left.size(), right.size()) < enough)
    return by_noise;
  return std::max(by_noise, stats::mann_whitney(left, right).p_value);
}

} // namespace

Detector::Detector(const Rule& rule, std::span<const Point> points)
    : rule_(rule), points_(points.begin(), points.end()), segmentation_(Price{}) {
  for (const Point& point : points_)
    ensure(std::isfinite(point.value), "a point has a value");
  start_over();
}

void Detector::append(const Point& point) {
  ensure(std::isfinite(point.value), "a point has a value");
  ensure(points_.empty() || points_.back().position < point.position, "positions rise");
  points_.push_back(point);
  // The noise is estimated anew when a quarter of the points are.
  if (points_.size() < 8 || points_.size() * 4 >= started_with_ * 5)
    start_over();
  else
    segmentation_.append(score(point.value));
}

void Detector::start_over() {
  started_with_ = points_.size();
  noise_ = estimate_noise(points_);
  middle_ = stats::median(values_of(points_));
  scale_ = noise_.deviation * std::sqrt(noise_.inflation());
  const double count = static_cast<double>(points_.size()) * 1.25;
  segmentation_ = Segmentation({.segment = rule_.penalty * std::log(count),
                                .outlier = rule_.outlier * rule_.outlier / noise_.inflation()});
  for (const Point& point : points_)
    segmentation_.append(score(point.value));
  known_.clear();
}

Change Detector::describe(const Neighbours& at) const {
  const auto [begin, index, end] = at;
  const std::size_t first = index - std::min(index - begin, most_points);
  const std::size_t last = index + std::min(end - index, most_points);
  const std::vector<double> values = values_of(std::span(points_).subspan(first, last - first));
  const auto left = std::span(values).first(index - first);
  const auto right = std::span(values).subspan(index - first);
  const double reach = rule_.outlier * noise_.deviation;
  Change change;
  change.index = index;
  change.before = level_of(left, reach);
  change.after = level_of(right, reach);
  const double error = scale_ * std::sqrt((1.0 / static_cast<double>(left.size())) +
                                          (1.0 / static_cast<double>(right.size())));
  const double difference = change.after - change.before;
  change.p_value = p_value_of(left, right, difference / error);
  change.size = relative(change.before, change.after);
  const double width = stats::normal_quantile((1 + rule_.confidence) / 2) * error;
  change.interval = {relative(change.before, change.after - width),
                     relative(change.before, change.after + width)};
  locate(values, first, change);
  return change;
}

// The positions that are most probable together: each weighs as much as the points speak for a
// change there, given the levels.
void Detector::locate(std::span<const double> values, std::size_t first, Change& change) const {
  const double limit = rule_.outlier * rule_.outlier / noise_.inflation();
  const auto cost = [&](double value, double level) {
    const double distance = (value - level) / scale_;
    return std::min(distance * distance, limit);
  };
  std::vector<std::pair<double, std::size_t>>
      weights; // of a change before each point but the first
  double log_weight = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    log_weight += (cost(values[i - 1], change.after) - cost(values[i - 1], change.before)) / 2;
    weights.emplace_back(log_weight, first + i);
  }
  std::ranges::sort(weights, std::greater<>());
  double total = 0;
  for (const auto& [weight, index] : weights)
    total += std::exp(weight - weights.front().first);
  double covered = 0;
  change.earliest = change.latest = change.index;
  for (const auto& [weight, index] : weights) {
    change.earliest = std::min(change.earliest, index);
    change.latest = std::max(change.latest, index);
    covered += std::exp(weight - weights.front().first) / total;
    if (covered >= rule_.confidence)
      break;
  }
  change.first_position = points_[change.earliest - 1].position + 1;
  change.last_position = points_[change.latest].position;
}

// What is known is kept: with another point, only the last changes have other neighbours.
const Change& Detector::described(const Neighbours& at) {
  auto found = known_.find(at);
  if (found == known_.end())
    found = known_.emplace(at, describe(at)).first;
  return found->second;
}

double Detector::doubt(const Change& change) const {
  return std::abs(change.size) < rule_.smallest_effect ? 2 : change.p_value;
}

std::vector<Change> Detector::exact_changes() const {
  std::vector<Change> changes;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const double before = points_[i - 1].value;
    const double after = points_[i].value;
    const double size = relative(before, after);
    if (before == after || std::abs(size) < rule_.smallest_effect)
      continue;
    changes.push_back({.index = i,
                       .before = before,
                       .after = after,
                       .size = size,
                       .interval = {size, size},
                       .p_value = 0,
                       .earliest = i,
                       .latest = i,
                       .first_position = points_[i - 1].position + 1,
                       .last_position = points_[i].position});
  }
  return changes;
}

// Takes the most doubtful change away until none is left that the test does not confirm; what its
// neighbours are compared with then reaches further.
std::vector<Change> Detector::changes() {
  if (rule_.nature == Nature::Exact)
    return exact_changes();
  std::vector<std::size_t> bounds = segmentation_.changes();
  bounds.insert(bounds.begin(), 0);
  bounds.push_back(points_.size());
  std::vector<Change> changes(bounds.size());
  const auto describe_at = [&](std::size_t i) {
    if (i > 0 && i + 1 < bounds.size())
      changes[i] = described({bounds[i - 1], bounds[i], bounds[i + 1]});
  };
  for (std::size_t i = 1; i + 1 < bounds.size(); ++i)
    describe_at(i);
  changes.front().p_value = changes.back().p_value = -1; // the ends of the series stay
  changes.front().size = changes.back().size = std::numeric_limits<double>::infinity();
  while (true) {
    const auto worst =
        std::ranges::max_element(changes, {}, [&](const Change& change) { return doubt(change); });
    if (doubt(*worst) <= rule_.significance)
      break;
    const auto at = worst - changes.begin();
    changes.erase(worst);
    bounds.erase(bounds.begin() + at);
    describe_at(static_cast<std::size_t>(at) - 1);
    describe_at(static_cast<std::size_t>(at));
  }
  return {changes.begin() + 1, changes.end() - 1};
}

std::vector<Change> find_changes(std::span<const Point> points, const Rule& rule) {
  return Detector(rule, points).changes();
}

std::vector<Change> find_changes(std::span<const double> values, const Rule& rule) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i]))
      points.push_back({.position = i, .value = values[i]});
  return find_changes(points, rule);
}

} // namespace dragnet::change_points
