// Where the time of a check goes.
#pragma once

#include "base/clock.h"

namespace dragnet::check {

/// Adds to a sum the seconds that pass in a scope.
class Stopwatch {
public:
  explicit Stopwatch(double& sum) : sum_(sum), start_(steady_seconds()) {}
  ~Stopwatch() { sum_ += steady_seconds() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  Stopwatch(Stopwatch&&) = delete;
  Stopwatch& operator=(Stopwatch&&) = delete;

private:
  double& sum_;
  double start_;
};

} // namespace dragnet::check
