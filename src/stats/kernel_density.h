// The density of whole numbers, each smeared out by an exponential kernel, whose sums need one pass
// in each direction however many numbers there are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::stats {

/// How many numbers there are at each place, weighed with exp(-distance / bandwidth); not
/// normalised.
std::vector<double> exponential_density(std::span<const double> counts, double bandwidth);

/// The bandwidth, of those given, under which the numbers of each fold are most probable given the
/// others. The folds are consecutive parts of the numbers, each below `places`.
double bandwidth_by_folds(std::span<const std::size_t> numbers, std::size_t places,
                          std::span<const double> bandwidths, std::size_t folds);

} // namespace dragnet::stats
