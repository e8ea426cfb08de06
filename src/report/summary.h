// A series of samples in the few numbers that people want to see.
#pragma once

#include "model/metric.h"

#include <cstddef>
#include <span>
#include <string>

namespace dragnet::report {

struct Summary {
  double median = 0;
  double low = 0; ///< of the 95 % bootstrap interval of the median
  double high = 0;
  std::size_t count = 0;
};

/// The same samples give the same summary: the resampling has a fixed seed.
Summary summarise(std::span<const double> values);

/// "41.2 ms ± 0.4" for people; the uncertainty is left out where there is none.
std::string describe(const Summary& summary, const Metric& metric);

} // namespace dragnet::report
