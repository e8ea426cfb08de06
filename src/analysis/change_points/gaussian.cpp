#include "analysis/change_points/gaussian.h"

#include "stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

namespace dragnet::change_points {
namespace {

// Costs of segments from sums of values and squares.
class Costs {
public:
  Costs(std::span<const double> values, Differs differs)
      : differs_(differs), sums_(values.size() + 1, 0), squares_(values.size() + 1, 0) {
    double scale = 1;
    if (differs == Differs::Mean) {
      std::vector<double> distances;
      for (std::size_t i = 1; i < values.size(); ++i)
        distances.push_back(std::abs(values[i] - values[i - 1]));
      const double noise = distances.empty() ? 0 : 1.4826 * stats::median(distances);
      scale = noise > 0 ? noise / std::numbers::sqrt2 : 1;
    }
    const double middle = values.empty() ? 0 : stats::median(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = (values[i] - middle) / scale;
      sums_[i + 1] = sums_[i] + value;
      squares_[i + 1] = squares_[i] + (value * value);
    }
    least_variance_ = 1e-12 * std::max(1e-300, squares_.back());
  }

  std::size_t least_size() const { return differs_ == Differs::Mean ? 1 : 2; }
  double of(std::size_t begin, std::size_t end) const {
    const auto count = static_cast<double>(end - begin);
    const double sum = sums_[end] - sums_[begin];
    const double rest = std::max(0.0, squares_[end] - squares_[begin] - (sum * sum / count));
    if (differs_ == Differs::Mean)
      return rest;
    return count * (std::log(std::max(rest / count, least_variance_)) + 1);
  }

private:
  Differs differs_;
  std::vector<double> sums_;
  std::vector<double> squares_;
  double least_variance_ = 0;
};

} // namespace

std::vector<std::size_t> gaussian_changes(std::span<const double> values, Differs differs,
                                          double penalty) {
  const Costs costs(values, differs);
  const std::size_t size = values.size();
  const double price = penalty * std::log(static_cast<double>(std::max<std::size_t>(size, 2)));
  std::vector<double> best(size + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> from(size + 1, 0);
  best[0] = -price;
  std::vector<std::size_t> starts; // those that can still be best
  for (std::size_t end = costs.least_size(); end <= size; ++end) {
    starts.push_back(end - costs.least_size());
    for (const std::size_t start : starts)
      if (const double cost = best[start] + costs.of(start, end) + price; cost < best[end]) {
        best[end] = cost;
        from[end] = start;
      }
    std::erase_if(
        starts, [&](std::size_t start) { return best[start] + costs.of(start, end) > best[end]; });
  }
  std::vector<std::size_t> changes;
  for (std::size_t end = from[size]; end > 0; end = from[end])
    changes.push_back(end);
  std::ranges::reverse(changes);
  return changes;
}

} // namespace dragnet::change_points
