// A range of numbers that an estimate comes with.
#pragma once

namespace dragnet::stats {

/// Both ends belong to it.
struct Interval {
  double low = 0;
  double high = 0;
};

} // namespace dragnet::stats
