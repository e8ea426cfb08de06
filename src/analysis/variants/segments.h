// Where the values of one configuration change their level: exact segmentation, and the noise that
// is left within the segments.
#pragma once

#include "analysis/variants/notebook.h"

#include <cstddef>
#include <ranges>
#include <vector>

namespace dragnet::variants {

/// Noise in proportion to the level, as a relative standard deviation of one measurement.
struct Noise {
  double relative = 0;

  /// The variance of a mean of so many measurements at this level.
  double variance(double level, double count) const {
    return relative * relative * level * level / count;
  }
};

/// Consecutive cells at one level.
struct Segment {
  std::size_t first = 0; ///< commit of its first cell
  std::size_t last = 0;
  std::size_t cells = 0;
  double count = 0; ///< measurements
  double mean = 0;
};

using CellRange = std::ranges::subrange<Cells::const_iterator>;

/// The partition that explains the cells best when each further level costs the square of so many
/// deviations (optimal partitioning: Jackson et al. 2005). Exact; quadratic in the cells.
std::vector<Segment> segments(CellRange cells, const Noise& noise, double deviations);

/// The difference between two levels in its standard deviations.
double deviations_between(const Segment& left, const Segment& right, const Noise& noise);

/// What the noise of all that was measured is. A classical estimate where measuring can be
/// repeated; a robust one, for recorded data with their spikes, where it cannot.
Noise noise_of(const Notebook& notebook, const Noise& before, double smallest);

} // namespace dragnet::variants
