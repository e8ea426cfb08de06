// Two published methods, for comparison: E-divisive (Matteson and James 2014), which splits a
// series where the energy distance between the parts is largest as long as a permutation test says
// so, and its form in Otava (Fleming et al. 2023, "Hunter"), with windows and a t-test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::change_points {

struct DivisiveRule {
  double significance = 0.05;
  std::size_t permutations = 199;
  std::uint64_t seed = 1;
};

/// The first points of segments but for the first one's, by E-divisive.
std::vector<std::size_t> divisive(std::span<const double> values, const DivisiveRule& rule);

/// The rule of Otava; the numbers are its defaults.
struct WindowedRule {
  std::size_t window = 50;
  double significance = 0.001;
  double smallest_effect = 0;
};

/// The same by Otava's rule: weak candidates in windows that overlap by half, at ten times the
/// significance (twice from 0.05 on), of which the least significant and smallest are taken away
/// one by one.
std::vector<std::size_t> windowed_divisive(std::span<const double> values,
                                           const WindowedRule& rule);

} // namespace dragnet::change_points
