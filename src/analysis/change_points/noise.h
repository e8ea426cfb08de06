// How much a series moves without changing: the noise of a point, and how far neighbours share it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::change_points {

/// One measured point of a history.
struct Point {
  std::size_t position = 0; ///< in the history; positions rise, those left out were not measured
  double value = 0;         ///< the middle of its runs; finite
  std::size_t runs = 1;
  double deviation = 0; ///< standard deviation of one run; ignored if there is only one
};

struct Noise {
  double deviation = 0; ///< of a point; above 0
  double memory = 0;    ///< correlation of neighbours, from 0 to below 1

  /// By how much the mean of many neighbours is less certain than that of independent points, as a
  /// factor of its variance.
  double inflation() const { return (1 + memory) / (1 - memory); }
};

/// From the differences of neighbours, which changes hardly touch because they are few; where
/// points have repetitions, not less than those say and not more than thrice.
Noise estimate_noise(std::span<const Point> points);

} // namespace dragnet::change_points
