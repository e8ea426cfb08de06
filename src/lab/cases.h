// The benchmarks of a build, one by one.
#pragma once

#include "model/benchmark.h"

#include <string>
#include <vector>

namespace dragnet::lab {

/// The benchmarks that were asked for, suites taken apart into their cases.
struct Cases {
  std::vector<Benchmark> benchmarks;
  std::vector<std::string> names() const;
};

} // namespace dragnet::lab
