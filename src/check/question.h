// What two builds are compared on: the benchmarks that both have, with the metrics to judge.
#pragma once

#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/run.h"

#include <string>
#include <vector>

namespace dragnet::check {

/// Which benchmarks and metrics are asked for.
struct Wanted {
  std::vector<std::string> benchmarks; ///< names; all when empty
  std::vector<std::string> metrics;    ///< in place of those of the benchmarks; theirs when empty
  double smallest_effect = 0;          ///< in place of that of the benchmarks; theirs when 0
};

struct CommonBenchmarks {
  std::vector<Benchmark> benchmarks; ///< each with the metrics that are judged, at least one
  std::vector<std::string> notes;    ///< what is left out, and why
};

/// The benchmarks that both builds have.
Result<CommonBenchmarks> common_benchmarks(lab::Laboratory& laboratory, const Build& base,
                                           const Build& candidate, const Wanted& wanted);

} // namespace dragnet::check
