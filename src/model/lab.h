// The laboratory as analyses see it: they ask for pairs of runs and know nothing of processes,
// folders or databases.
#pragma once

#include "base/result.h"
#include "model/benchmark.h"
#include "model/run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet {

/// Two builds measured against each other on one benchmark by one method.
struct Duel {
  Build base;
  Build candidate;
  Benchmark benchmark;
  Method method = Method::Timed;
};

/// One run of each side, next to each other in time.
struct Pair {
  std::size_t number = 0;
  Run base;
  Run candidate;

  bool finished() const { return base.finished() && candidate.finished(); }
  double seconds() const { return base.seconds + candidate.seconds; }
};

/// Which side of a pair runs first.
enum class Order { BaseFirst, CandidateFirst };

/// Measures, or remembers what was measured.
class Lab {
public:
  virtual ~Lab() = default;

  /// How this machine measures a metric.
  virtual Method method_for(const std::string& metric) const = 0;

  /// The complete pairs that are kept already, in order.
  virtual Result<std::vector<Pair>> kept_pairs(const Duel& duel) = 0;

  /// Measures the next pair and keeps it. A run that fails is an outcome in the pair, not an Error.
  virtual Result<Pair> measure_pair(const Duel& duel, Order order) = 0;
};

} // namespace dragnet
