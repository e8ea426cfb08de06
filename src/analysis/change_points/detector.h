// Since when: the change points of a series of measurements along a history. An exact, robust
// segmentation proposes them, a test confirms each, and each comes with its size and with the
// positions that could equally be it. docs/analyses/history.md explains the rule.
#pragma once

#include "analysis/change_points/noise.h"
#include "analysis/change_points/segmentation.h"
#include "stats/interval.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace dragnet::change_points {

/// How the values of a series came about.
enum class Nature : std::uint8_t {
  Noisy, ///< measured again, they differ
  Exact  ///< one run is the truth: each step between neighbours that is large enough is a change
};

struct Rule {
  Nature nature = Nature::Noisy;
  double penalty = 4; ///< of a change, in logarithms of the number of points
  double outlier = 3; ///< distance from the level, in deviations, beyond which all is alike
  double significance = 0.001; ///< a change must be as improbable without one
  double confidence = 0.95;    ///< of intervals and sets of positions
  double smallest_effect = 0;  ///< changes that are smaller, as a share, are left out
};

/// The level changed at a point.
struct Change {
  std::size_t index = 0;    ///< the first point after it
  double before = 0;        ///< level
  double after = 0;         ///< level
  double size = 0;          ///< after / before - 1; infinite from 0
  stats::Interval interval; ///< of the size
  double p_value = 1;
  std::size_t earliest = 0; ///< index: it could equally be here
  std::size_t latest = 0;   ///< index: and up to here
  /// Positions in the history that could equally be it: also those that were not measured.
  std::size_t first_position = 0;
  std::size_t last_position = 0;
};

/// Finds the changes of a series that grows.
class Detector {
public:
  /// Begins with these points.
  Detector(const Rule& rule, std::span<const Point> points);

  /// Takes in the next point; positions rise.
  void append(const Point& point);
  const std::vector<Point>& points() const { return points_; }
  /// The changes so far, in their order.
  std::vector<Change> changes();

private:
  using Neighbours = std::tuple<std::size_t, std::size_t, std::size_t>;

  void start_over();
  std::vector<Change> exact_changes() const;
  Change describe(const Neighbours& at) const;
  void locate(std::span<const double> values, std::size_t first, Change& change) const;
  const Change& described(const Neighbours& at);
  double doubt(const Change& change) const;
  double score(double value) const { return (value - middle_) / scale_; }

  Rule rule_;
  std::vector<Point> points_;
  Noise noise_;
  double middle_ = 0;
  double scale_ = 1; // noise with which the segmentation counts
  std::size_t started_with_ = 0;
  Segmentation segmentation_;
  std::map<Neighbours, Change> known_; // what describe() said, by begin, change and end
};

/// The changes of a whole series.
std::vector<Change> find_changes(std::span<const Point> points, const Rule& rule);

/// The same for plain values at positions 0, 1, 2...; what is not a number is a gap, and indices
/// count the others.
std::vector<Change> find_changes(std::span<const double> values, const Rule& rule);

} // namespace dragnet::change_points
