// One benchmark measured by one method along a history: what was seen where, and where to look
// next.
#pragma once

#include "analysis/change_points/timeline.h"
#include "model/benchmark.h"
#include "model/run.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::check {

/// A commit that is worth measuring. Those of a lower stage come first.
struct Wish {
  std::size_t stage = 0;
  std::size_t position = 0;
};

/// Positions at which a history of a length is looked at whatever it shows: the ends, the middle,
/// the middles of the halves, and so on; each with its stage, and from where to where another
/// position will do.
struct Target {
  std::size_t stage = 0;
  std::size_t position = 0;
  std::size_t low = 0;
  std::size_t high = 0;
};
std::vector<Target> spread_targets(std::size_t length);

/// Each so-many-th position and the ends, to be looked at exactly.
std::vector<Target> regular_targets(std::size_t length, std::size_t every);

class Track {
public:
  Track(Benchmark benchmark, Method method, std::vector<change_points::Series> series)
      : benchmark_(std::move(benchmark)), method_(method), series_(std::move(series)) {}

  const Benchmark& benchmark() const { return benchmark_; }
  Method method() const { return method_; }
  const std::vector<change_points::Series>& series() const { return series_; }

  /// Takes in the runs at a position, at least one; they do not count if one did not finish.
  void take(std::size_t position, const std::vector<Run>& runs);
  /// Takes in that there is nothing to be had at a position.
  void skip(std::size_t position) { tried_[position] = false; }

  /// What to measure next: an open target, or, if it may refine, a commit between two neighbours
  /// that differ. Nothing when all is known.
  std::optional<Wish> wish(const std::vector<Target>& targets, bool refine) const;

private:
  std::optional<std::size_t> untried_near(std::size_t wanted, std::size_t low,
                                          std::size_t high) const;
  bool reached(const Target& target) const;
  bool moves(std::size_t before, std::size_t after) const;

  Benchmark benchmark_;
  Method method_;
  std::vector<change_points::Series> series_; // one for each metric
  std::map<std::size_t, bool> tried_;         // by position: whether it was measured
};

} // namespace dragnet::check
