// The tests that are usual elsewhere, as baselines: valid for one look at a size that is fixed
// before.
#pragma once

#include <span>

namespace dragnet::stats {

/// A statistic, and the two-sided probability of one as extreme if nothing differs.
struct TestResult {
  double statistic = 0;
  double p_value = 1;
};

/// Welch's t-test of equal means; p is 1 where a side has fewer than two values or nothing differs.
TestResult welch(std::span<const double> first, std::span<const double> second);

/// Mann and Whitney's U of the first sample; exact up to 20 values a side without ties, otherwise
/// the normal approximation with corrections for ties and continuity.
TestResult mann_whitney(std::span<const double> first, std::span<const double> second);

} // namespace dragnet::stats
