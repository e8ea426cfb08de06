#include "stats/holm.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::stats {

// Holm (1979): the smallest of m p-values is multiplied by m, the next by m - 1 and so on; none may
// become smaller than one before it. It holds whatever the dependence between them is.
std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order;
  order.reserve(p_values.size());
  for (std::size_t i = 0; i < p_values.size(); ++i)
    order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  std::size_t left = p_values.size();
  for (const std::size_t i : order) {
    largest = std::max(largest, std::min(1.0, p_values[i] * static_cast<double>(left)));
    adjusted[i] = largest;
    --left;
  }
  return adjusted;
}

} // namespace dragnet::stats
