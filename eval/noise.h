// Simulated machines: run times of two programs under the kinds of noise that real ones show.
#pragma once

#include "stats/order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::eval {

using Random = std::mt19937_64;

inline constexpr std::array<std::string_view, 5> noises = {"normal", "log-normal", "drifting",
                                                           "bistable", "heavy-tailed"};

/// The run times of one machine, one after the other: what a program of time 1 would take.
class Machine {
public:
  Machine(std::size_t noise, double spread, Random& random)
      : noise_(noise), spread_(spread), random_(random), slow_(flip(0.5)),
        trend_(flip(0.5) ? 0.05 : -0.05) {}

  double next() {
    if (noise_ == 2) // a trend of one spread in 20 runs, and a random walk
      walk_ += spread_ * (trend_ + 0.3 * normal());
    return std::exp(walk_) * std::max(0.01, 1 + spread_ * deviation());
  }

private:
  bool flip(double probability) { return std::bernoulli_distribution(probability)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }

  // In units of the spread.
  double deviation() {
    switch (noise_) {
    case 1: { // skewed, mean 0 and deviation 1
      constexpr double shape = 0.8;
      const double mean = std::exp(shape * shape / 2);
      return (std::exp(shape * normal()) / mean - 1) / std::sqrt(std::expm1(shape * shape));
    }
    case 3: // two modes, two spreads apart, that change every fourth run
      slow_ = slow_ != flip(0.25);
      return (slow_ ? 1.0 : -1.0) + 0.2 * normal();
    case 4: // Student's t with 2 degrees of freedom, with the quartiles of normal noise
      return 0.826 * std::student_t_distribution<double>(2)(random_);
    default: // normal, drifting
      return normal();
    }
  }

  std::size_t noise_;
  double spread_;
  Random& random_;
  bool slow_;
  double trend_;
  double walk_ = 0;
};

/// What is simulated: an index into the noises, their spread as a share of the time, and how much
/// slower the new program is.
struct Setting {
  std::size_t noise;
  double spread;
  double slowdown;
};

/// Run times of both programs, as many of each.
struct Runs {
  std::vector<double> old_values;
  std::vector<double> new_values;
};

/// Pairs of runs next to each other, each in the order that its coin says.
inline Runs interleaved(const Setting& setting, std::size_t pairs, Random& random) {
  Machine machine(setting.noise, setting.spread, random);
  const std::uint64_t seed = random();
  Runs runs;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    double first = machine.next();
    double second = machine.next();
    if (stats::new_first(seed, pair))
      std::swap(first, second);
    runs.old_values.push_back(first);
    runs.new_values.push_back(second * (1 + setting.slowdown));
  }
  return runs;
}

/// All runs of old, then all of new, as scripts do it.
inline Runs batched(const Setting& setting, std::size_t size, Random& random) {
  Machine machine(setting.noise, setting.spread, random);
  Runs runs;
  for (std::size_t run = 0; run < size; ++run)
    runs.old_values.push_back(machine.next());
  for (std::size_t run = 0; run < size; ++run)
    runs.new_values.push_back(machine.next() * (1 + setting.slowdown));
  return runs;
}

} // namespace dragnet::eval
