// Penalised segmentation with the plain Gaussian cost, for comparison: PELT (Killick et al. 2012).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::change_points {

/// What may differ between segments.
enum class Differs : std::uint8_t { Mean, MeanAndVariance };

/// The first points of segments but for the first one's. The penalty is in logarithms of the number
/// of points; for a mean alone, values are first divided by the noise of their differences.
std::vector<std::size_t> gaussian_changes(std::span<const double> values, Differs differs,
                                          double penalty);

} // namespace dragnet::change_points
