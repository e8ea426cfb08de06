// Intervals by resampling, for display beside a median. They are not valid under repeated looking:
// verdicts use the confidence sequence of sequential.h.
#pragma once

#include "stats/interval.h"

#include <cstddef>
#include <random>
#include <span>

namespace dragnet::stats {

/// How an interval is resampled.
struct Resampling {
  double confidence = 0.95;
  std::size_t rounds = 2000;
};

/// The percentile interval of the median (Efron 1979); NaN at both ends for an empty sample.
Interval bootstrap_median(std::span<const double> values, const Resampling& resampling,
                          std::mt19937_64& random);

} // namespace dragnet::stats
