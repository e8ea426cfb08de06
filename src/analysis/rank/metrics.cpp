#include "analysis/rank/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <ranges>
#include <span>
#include <vector>

namespace dragnet::rank {

double change(double base, double now) {
  return base == 0 ? 0 : std::abs(now - base) / base;
}

double apfd_p(std::span<const double> changes) {
  const double all = std::accumulate(changes.begin(), changes.end(), 0.0);
  if (all <= 0)
    return std::numeric_limits<double>::quiet_NaN();
  double covered = 0;
  double sum = 0;
  for (const double one : changes) {
    covered += one;
    sum += covered / all;
  }
  return sum / static_cast<double>(changes.size());
}

double discounted_gain(std::span<const double> changes) {
  double gain = changes.empty() ? 0 : changes.front();
  for (std::size_t i = 1; i < changes.size(); ++i)
    gain += changes[i] / std::log2(static_cast<double>(i + 1));
  return gain;
}

double normalized_gain(std::span<const double> changes) {
  std::vector<double> best(changes.begin(), changes.end());
  std::ranges::sort(best, std::greater());
  const double most = discounted_gain(best);
  return most <= 0 ? std::numeric_limits<double>::quiet_NaN() : discounted_gain(changes) / most;
}

double top_share(std::span<const double> changes, std::size_t most) {
  if (changes.empty() || most == 0)
    return 0;
  std::vector<std::size_t> order(changes.size());
  std::ranges::copy(std::views::iota(std::size_t{0}, order.size()), order.begin());
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return changes[i]; });
  order.resize(std::min(most, order.size()));
  const std::size_t last = *std::ranges::max_element(order);
  return static_cast<double>(last + 1) / static_cast<double>(changes.size());
}

} // namespace dragnet::rank
