// How fast change points are found: a million points at once, and one more point in a series of ten
// thousand. Prints a table, ends with one line of figures, and exits 0 exactly when each figure is
// within its limit.

#include "analysis/change_points/detector.h"
#include "analysis/change_points/noise.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fmt/core.h>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using dragnet::change_points::Detector;
using dragnet::change_points::Point;
using dragnet::change_points::Rule;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Noise of 2 %; steps of up to 10 % so many points apart on average; and every hundredth value is a
// spike, or the tails are heavy.
struct Shape {
  std::string name;
  std::size_t apart = 1000;
  bool heavy = false;
};

std::vector<Point> series(const Shape& shape, std::size_t size) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> heavy(3);
  std::vector<Point> points;
  double level = 100;
  for (std::size_t i = 0; i < size; ++i) {
    if (random() % shape.apart == 0)
      level = 90 + (20 * std::uniform_real_distribution<double>()(random));
    double value = level * (1 + (0.02 * (shape.heavy ? heavy(random) : normal(random))));
    if (!shape.heavy && random() % 100 == 0)
      value *= 1.5;
    points.push_back({.position = i, .value = value});
  }
  return points;
}

struct Figure {
  std::string what;
  double seconds;
  double limit; // 0: none
};

Figure whole(const Shape& shape, std::size_t size, double limit) {
  const std::vector<Point> points = series(shape, size);
  std::size_t changes = 0;
  const double seconds = seconds_of([&] { changes = Detector(Rule{}, points).changes().size(); });
  return {fmt::format("{} points, {}: {} changes", size, shape.name, changes), seconds, limit};
}

// Each append followed by the question for all changes.
std::vector<Figure> appended(std::size_t size, std::size_t more) {
  const std::vector<Point> points = series({.name = "", .apart = 1000}, size + more);
  Detector detector(Rule{}, std::span(points).first(size));
  (void)detector.changes();
  std::vector<double> costs;
  for (const Point& point : std::span(points).subspan(size))
    costs.push_back(seconds_of([&] {
      detector.append(point);
      (void)detector.changes();
    }));
  std::ranges::sort(costs);
  double sum = 0;
  for (const double cost : costs)
    sum += cost;
  const auto count = static_cast<double>(costs.size());
  return {{fmt::format("a point appended to {}, on average", size), sum / count, 100e-6},
          {"the same, 99 of 100", costs[costs.size() * 99 / 100], 100e-6},
          {"the same, at worst", costs.back(), 0}};
}

int print(const std::vector<Figure>& figures) {
  bool held = true;
  std::string last;
  fmt::print("{:<58}{:>14}{:>14}\n", "what", "measured", "limit");
  for (const Figure& figure : figures) {
    held = held && (figure.limit == 0 || figure.seconds <= figure.limit);
    fmt::print("{:<58}{:>11.1f} us{:>14}\n", figure.what, figure.seconds * 1e6,
               figure.limit > 0 ? fmt::format("{:.0f} us", figure.limit * 1e6) : "");
    if (figure.limit > 0)
      last += fmt::format("{}{} {:.1f} us", last.empty() ? "" : ", ", figure.what,
                          figure.seconds * 1e6);
  }
  fmt::print("{}: {}\n", held ? "held" : "NOT HELD", last);
  return held ? 0 : 1;
}

} // namespace

int main(int count, char** words) {
  const auto given = std::span(words, static_cast<std::size_t>(count)).subspan(1);
  const bool quick = std::ranges::any_of(
      given, [](const char* word) { return std::string_view(word) == "--quick"; });
  const std::size_t size = quick ? 100000 : 1000000;
  const double limit = quick ? 0.1 : 1;
  std::vector<Figure> figures = {
      whole({.name = "a step in 1,000"}, size, limit),
      whole({.name = "a step in 100", .apart = 100}, size, limit),
      whole({.name = "no step", .apart = 2 * size * size}, size, limit),
      whole({.name = "a step in 1,000, heavy tails", .heavy = true}, size, limit)};
  for (const Figure& figure : appended(10000, quick ? 500 : 3000))
    figures.push_back(figure);
  return print(figures);
}
