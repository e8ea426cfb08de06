#include "analysis/variants/segments.h"

#include "analysis/variants/notebook.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <ranges>
#include <vector>

namespace dragnet::variants {
namespace {

// Deviations, when only the noise is asked for: high, lest noise be taken for levels and the rest
// seem quiet.
constexpr double split_cost = 5;

// A cell as the partition sees it: its weight, and its distance from the mean of all.
struct Point {
  double weight = 0;
  double value = 0;
};

std::vector<Point> points_of(CellRange cells, const Noise& noise) {
  const auto count = static_cast<double>(std::ranges::distance(cells));
  double size = 0;
  double sum = 0;
  for (const auto& [commit, cell] : cells) {
    size += std::abs(cell.mean()) / count;
    sum += cell.mean() / count;
  }
  std::vector<Point> points;
  for (const auto& [commit, cell] : cells) {
    // Values next to zero are not free of noise.
    const double level = std::max({std::abs(cell.mean()), 0.05 * size, 1e-300});
    points.push_back({1 / noise.variance(level, cell.count), cell.mean() - sum});
  }
  return points;
}

// Squares of distances from the mean, as points are added.
struct Spread {
  double weight = 0;
  double mean = 0;
  double squares = 0;

  void add(const Point& point) {
    const double apart = point.value - mean;
    weight += point.weight;
    mean += apart * point.weight / weight;
    squares += apart * (point.value - mean) * point.weight;
  }
};

// For each number of first cells, where the last level of their best partition begins.
std::vector<std::size_t> last_beginnings(const std::vector<Point>& points, double cost) {
  std::vector<double> best(points.size() + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> from(points.size() + 1, 0);
  best[0] = -cost;
  for (std::size_t end = 1; end <= points.size(); ++end) {
    Spread level;
    for (std::size_t begin = end; begin-- > 0;) {
      level.add(points[begin]);
      const double whole = best[begin] + level.squares + cost;
      if (whole >= best[end])
        continue;
      best[end] = whole;
      from[end] = begin;
    }
  }
  return from;
}

Segment segment_of(Cells::const_iterator begin, Cells::const_iterator end) {
  Segment segment{.first = begin->first};
  double sum = 0;
  for (auto cell = begin; cell != end; ++cell) {
    segment.last = cell->first;
    ++segment.cells;
    segment.count += cell->second.count;
    sum += cell->second.sum;
  }
  segment.mean = sum / segment.count;
  return segment;
}

// Squares of relative distances from the segments' means, each scaled to be a variance.
struct Residuals {
  double squares = 0;
  double freedom = 0;
  std::vector<double> sizes;

  void add(const Cells& cells, const std::vector<Segment>& found) {
    for (const Segment& segment : found) {
      const double level = std::max(std::abs(segment.mean), 1e-300);
      const double unbiased = segment.count / std::max(1.0, segment.count - 1);
      for (auto cell = cells.find(segment.first);
           cell != cells.end() && cell->first <= segment.last; ++cell) {
        const double apart = (cell->second.mean() - segment.mean) / level;
        squares += (apart * apart * cell->second.count) + (cell->second.squares / level / level);
        if (segment.count > 1)
          sizes.push_back(std::abs(apart) * std::sqrt(unbiased));
      }
      freedom += segment.count - 1;
    }
  }
};

} // namespace

std::vector<Segment> segments(CellRange cells, const Noise& noise, double deviations) {
  const std::vector<Point> points = points_of(cells, noise);
  const std::vector<std::size_t> from = last_beginnings(points, deviations * deviations);
  std::vector<std::size_t> bounds;
  for (std::size_t end = points.size(); end > 0; end = from[end])
    bounds.push_back(end);
  std::vector<Segment> found;
  auto begin = cells.begin();
  std::size_t at = 0;
  for (const std::size_t bound : bounds | std::views::reverse) {
    const auto end = std::next(begin, static_cast<std::ptrdiff_t>(bound - at));
    found.push_back(segment_of(begin, end));
    begin = end;
    at = bound;
  }
  return found;
}

double deviations_between(const Segment& left, const Segment& right, const Noise& noise) {
  const double variance =
      noise.variance(left.mean, left.count) + noise.variance(right.mean, right.count);
  const double size = std::max(std::abs(left.mean), std::abs(right.mean));
  return (right.mean - left.mean) /
         std::sqrt(std::max(variance, noise.variance(0.05 * size, left.count + right.count)));
}

Noise noise_of(const Notebook& notebook, const Noise& before, double smallest) {
  Residuals residuals;
  for (std::size_t number = 0; number < notebook.size(); ++number) {
    const Cells& cells = notebook.cells(number);
    residuals.add(cells, segments({cells.begin(), cells.end()}, before, split_cost));
  }
  if (residuals.freedom < 2)
    return before;
  const double classical = std::sqrt(residuals.squares / residuals.freedom);
  const double robust = residuals.sizes.empty() ? 0 : 1.4826 * stats::median(residuals.sizes);
  return {std::max(smallest, notebook.repeats() ? classical : robust)};
}

} // namespace dragnet::variants
