#include "stats/classic.h"

#include "stats/distributions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::stats {
namespace {

constexpr std::size_t most_exact = 20;

struct Moments {
  double mean;
  double error; // the variance of the mean
  double size;
};

Moments moments(std::span<const double> values) {
  const auto size = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
  double squares = 0;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  return {.mean = mean, .error = squares / (size - 1) / size, .size = size};
}

struct RankSum {
  double sum = 0;  // of the first sample's ranks, ties sharing their mean rank
  double ties = 0; // sum of t^3 - t over groups of t equal values
};

RankSum rank_sum(std::span<const double> first, std::span<const double> second) {
  std::vector<std::pair<double, bool>> pooled;
  for (const double value : first)
    pooled.emplace_back(value, true);
  for (const double value : second)
    pooled.emplace_back(value, false);
  std::ranges::sort(pooled);
  RankSum result;
  for (std::size_t begin = 0; begin < pooled.size();) {
    std::size_t end = begin;
    double from_first = 0;
    for (; end < pooled.size() && pooled[end].first == pooled[begin].first; ++end)
      from_first += pooled[end].second ? 1 : 0;
    const auto equal = static_cast<double>(end - begin);
    result.sum += from_first * (static_cast<double>(begin + 1 + end) / 2);
    result.ties += equal * equal * equal - equal;
    begin = end;
  }
  return result;
}

// The probability of at most u under the null hypothesis. The number of ways to reach each value is
// the coefficient of the Gaussian binomial, built up factor by factor.
double exact_at_most(double u, std::size_t n, std::size_t m) {
  std::vector<double> ways((n * m) + 1, 0.0);
  ways[0] = 1;
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t i = n * m; i >= m + k && i <= n * m; --i)
      ways[i] -= ways[i - m - k];
    for (std::size_t i = k; i <= n * m; ++i)
      ways[i] += ways[i - k];
  }
  const auto last = ways.begin() + static_cast<std::ptrdiff_t>(u) + 1;
  return std::accumulate(ways.begin(), last, 0.0) / std::accumulate(ways.begin(), ways.end(), 0.0);
}

double approximate_p(double u, double n, double m, double ties) {
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0)
    return 1;
  const double distance = std::max(0.0, std::abs(u - (n * m / 2)) - 0.5);
  return 2 * normal_cdf(-distance / std::sqrt(variance));
}

} // namespace

// Welch (1947), with Satterthwaite's degrees of freedom.
TestResult welch(std::span<const double> first, std::span<const double> second) {
  if (first.size() < 2 || second.size() < 2)
    return {};
  const Moments a = moments(first);
  const Moments b = moments(second);
  const double error = a.error + b.error;
  if (error <= 0)
    return {.statistic = 0, .p_value = a.mean == b.mean ? 1.0 : 0.0};
  const double t = (a.mean - b.mean) / std::sqrt(error);
  const double degrees =
      error * error / (a.error * a.error / (a.size - 1) + b.error * b.error / (b.size - 1));
  return {.statistic = t, .p_value = 2 * student_cdf(-std::abs(t), degrees)};
}

// Mann and Whitney (1947).
TestResult mann_whitney(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty())
    return {};
  const auto n = static_cast<double>(first.size());
  const auto m = static_cast<double>(second.size());
  const RankSum ranks = rank_sum(first, second);
  const double u = ranks.sum - (n * (n + 1) / 2);
  const bool exact = ranks.ties == 0 && first.size() <= most_exact && second.size() <= most_exact;
  const double p = exact ? 2 * exact_at_most(std::min(u, (n * m) - u), first.size(), second.size())
                         : approximate_p(u, n, m, ranks.ties);
  return {.statistic = u, .p_value = std::min(1.0, p)};
}

} // namespace dragnet::stats
