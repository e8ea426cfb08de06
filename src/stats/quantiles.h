// Order statistics of a sample. The order of the values does not matter; an empty sample gives NaN.
#pragma once

#include <span>

namespace dragnet::stats {

/// The quantile at a share between 0 and 1, linear between neighbours (type 7 of Hyndman and Fan).
double quantile(std::span<const double> values, double share);

/// The middle value, or the mean of the two middle ones.
double median(std::span<const double> values);

/// The median distance from the median; times 1.4826 it estimates the spread of normal noise.
double mad(std::span<const double> values);

/// The median of all means of two values, each with itself too (Hodges and Lehmann 1963): steadier
/// than the median where noise is symmetric. Above 1000 values, to stay fast, the median.
double pseudo_median(std::span<const double> values);

} // namespace dragnet::stats
