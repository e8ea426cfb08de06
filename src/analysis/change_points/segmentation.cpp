#include "analysis/change_points/segmentation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dragnet::change_points {
namespace {

constexpr double beyond = 1e150; // no level is as far away

} // namespace

Segmentation::Segmentation(const Price& price)
    : price_(price), reach_(std::min(std::sqrt(price.outlier), beyond)) {
  parts_.push_back({.low = -beyond});
}

void Segmentation::append(double value) {
  const Parabola anew{.constant = least_ + price_.segment,
                      .start = static_cast<std::uint32_t>(starts_.size())};
  cut_.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i)
    cut_down(parts_[i], i + 1 < parts_.size() ? parts_[i + 1].low : beyond, anew);
  parts_.clear();
  least_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < cut_.size(); ++i)
    add_point(cut_[i], i + 1 < cut_.size() ? cut_[i + 1].low : beyond, value);
  starts_.push_back(least_start_);
}

// Puts starting anew in place of a parabola wherever that is cheaper.
void Segmentation::cut_down(const Parabola& part, double high, const Parabola& anew) {
  const double limit = anew.constant;
  if (part.at(part.low) <= limit && part.at(high) <= limit)
    return push(cut_, part, part.low);
  const double centre = part.square > 0 ? -part.linear / (2 * part.square) : part.low;
  const double depth = limit - part.at(centre);
  if (part.square <= 0 || depth <= 0)
    return push(cut_, anew, part.low);
  const double half = std::sqrt(depth / part.square);
  const double left = std::max(part.low, centre - half);
  const double right = std::min(high, centre + half);
  if (left >= right)
    return push(cut_, anew, part.low);
  if (left > part.low)
    push(cut_, anew, part.low);
  push(cut_, part, left);
  if (right < high)
    push(cut_, anew, right);
}

void Segmentation::add_point(const Parabola& part, double high, double value) {
  const double left = std::clamp(value - reach_, part.low, high);
  const double right = std::clamp(value + reach_, part.low, high);
  Parabola far = part;
  far.constant += price_.outlier;
  if (left > part.low)
    put(far, part.low, left);
  if (right > left) {
    Parabola near = part;
    near.square += 1;
    near.linear -= 2 * value;
    near.constant += value * value;
    put(near, left, right);
  }
  if (high > right)
    put(far, right, high);
}

void Segmentation::put(const Parabola& part, double low, double high) {
  push(parts_, part, low);
  const double lowest = part.square > 0
                            ? part.at(std::clamp(-part.linear / (2 * part.square), low, high))
                            : part.constant;
  if (lowest < least_) {
    least_ = lowest;
    least_start_ = part.start;
  }
}

void Segmentation::push(Parabolas& parts, const Parabola& part, double low) {
  if (!parts.empty() && parts.back().same(part))
    return;
  parts.push_back(part);
  parts.back().low = low;
}

std::vector<std::size_t> Segmentation::changes() const {
  std::vector<std::size_t> changes;
  for (std::size_t end = starts_.size(); end > 0 && starts_[end - 1] > 0; end = starts_[end - 1])
    changes.push_back(starts_[end - 1]);
  std::ranges::reverse(changes);
  return changes;
}

} // namespace dragnet::change_points
