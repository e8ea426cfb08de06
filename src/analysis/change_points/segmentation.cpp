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
  arrival_ = {.value = value, .left = value - reach_, .right = value + reach_};
  anew_ = {.constant = least_ + price_.segment,
           .start = static_cast<std::uint32_t>(starts_.size())};
  anew_open_ = false;
  next_.clear();
  least_ = std::numeric_limits<double>::infinity();
  const std::size_t count = parts_.size();
  for (std::size_t i = 0; i < count; ++i)
    cut_down(parts_[i], i + 1 < count ? parts_[i + 1].low : beyond);
  close_anew(beyond);
  parts_.swap(next_);
  starts_.push_back(least_start_);
}

// Where between its ends a parabola is at most the limit; the low end is not below the high one if
// nowhere.
Segmentation::Stretch Segmentation::within(const Parabola& part, double high, double limit) {
  if (part.at(part.low) <= limit && part.at(high) <= limit)
    return {part.low, high};
  if (part.square <= 0)
    return {high, part.low};
  const double centre = -part.linear / (2 * part.square);
  const double depth = limit - part.at(centre);
  if (depth <= 0)
    return {high, part.low};
  const double half = std::sqrt(depth / part.square);
  return {std::max(part.low, centre - half), std::min(high, centre + half)};
}

// Puts starting anew in place of a parabola wherever that is cheaper.
void Segmentation::cut_down(const Parabola& part, double high) {
  const Stretch kept = within(part, high, anew_.constant);
  if (kept.low >= kept.high) {
    start_anew_from(part.low);
    return;
  }
  if (kept.low > part.low)
    start_anew_from(part.low);
  close_anew(kept.low);
  add(part, kept.low, kept.high);
  if (kept.high < high)
    start_anew_from(kept.high);
}

// Neighbouring stretches become one.
void Segmentation::start_anew_from(double low) {
  if (!anew_open_)
    anew_.low = low;
  anew_open_ = true;
}

void Segmentation::close_anew(double high) {
  if (anew_open_ && anew_.low < high)
    add(anew_, anew_.low, high);
  anew_open_ = false;
}

// Adds the cost of the arrival to a parabola between two ends.
void Segmentation::add(const Parabola& part, double low, double high) {
  const double left = std::clamp(arrival_.left, low, high);
  const double right = std::clamp(arrival_.right, low, high);
  Parabola sum = part;
  if (left > low || right < high) {
    sum.constant += price_.outlier;
    if (left > low)
      put(sum, low, left);
  }
  if (right > left) {
    Parabola near = part;
    near.square += 1;
    near.linear -= 2 * arrival_.value;
    near.constant += arrival_.value * arrival_.value;
    put(near, left, right);
  }
  if (right < high)
    put(sum, right, high);
}

void Segmentation::put(const Parabola& part, double low, double high) {
  next_.push_back(part);
  next_.back().low = low;
  // Divides only where the bottom lies between the ends.
  double at = low;
  if ((2 * part.square * low) + part.linear < 0)
    at = (2 * part.square * high) + part.linear > 0 ? -part.linear / (2 * part.square) : high;
  const double lowest = part.at(at);
  if (lowest < least_) {
    least_ = lowest;
    least_start_ = part.start;
  }
}

std::vector<std::size_t> Segmentation::changes() const {
  std::vector<std::size_t> changes;
  for (std::size_t end = starts_.size(); end > 0 && starts_[end - 1] > 0; end = starts_[end - 1])
    changes.push_back(starts_[end - 1]);
  std::ranges::reverse(changes);
  return changes;
}

} // namespace dragnet::change_points
