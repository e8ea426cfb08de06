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
  anew_ = {.at_low = least_ + price_.segment,
           .constant = least_ + price_.segment,
           .start = static_cast<std::uint32_t>(starts_.size())};
  anew_open_ = false;
  next_count_ = 0;
  // A part is cut into three at most, and the ends of the arrival's parabola cut two of those.
  if (next_.size() < (3 * count_) + 8)
    next_.resize((6 * count_) + 16);
  least_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < count_; ++i)
    take_in(parts_[i], parts_[i + 1].low, parts_[i + 1].at_low);
  take_in(parts_[count_ - 1], beyond, parts_[count_ - 1].at(beyond));
  close_anew(beyond);
  parts_.swap(next_);
  count_ = next_count_;
  starts_.push_back(least_start_);
}

void Segmentation::take_in(const Parabola& part, double high, double at_high) {
  if (part.at_low > anew_.constant || at_high > anew_.constant) {
    cut_down(part, high);
    return;
  }
  close_anew(part.low);
  if (part.low >= arrival_.left && high <= arrival_.right)
    add_near(part, part.low, high);
  else
    add(part, part.low, high);
}

// Where between its ends a parabola is at most the limit; the low end is not below the high one if
// nowhere.
Segmentation::Stretch Segmentation::within(const Parabola& part, double high, double limit) {
  if (part.square <= 0)
    return part.constant <= limit ? Stretch{part.low, high} : Stretch{high, part.low};
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
  Parabola rest = part;
  rest.at_low = part.at(kept.low);
  add(rest, kept.low, kept.high);
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

// Adds the cost of the arrival to a parabola between two ends, at the lower of which its cost is
// known.
void Segmentation::add(const Parabola& part, double low, double high) {
  const double left = std::clamp(arrival_.left, low, high);
  const double right = std::clamp(arrival_.right, low, high);
  Parabola moved = part;
  if (left > low) {
    add_far(moved, low, left);
    moved.at_low = part.at(left);
  }
  if (right > left) {
    add_near(moved, left, right);
    moved.at_low = part.at(right);
  }
  if (high > right)
    add_far(moved, right, high);
}

void Segmentation::add_near(const Parabola& part, double low, double high) {
  const double value = arrival_.value;
  Parabola& sum = next_[next_count_++];
  sum = {.low = low,
         .at_low = part.at_low + ((value - low) * (value - low)),
         .square = part.square + 1,
         .linear = part.linear - (2 * value),
         .constant = part.constant + (value * value),
         .start = part.start};
  look_for_least(sum, high);
}

void Segmentation::add_far(const Parabola& part, double low, double high) {
  Parabola& sum = next_[next_count_++];
  sum = part;
  sum.low = low;
  sum.at_low += price_.outlier;
  sum.constant += price_.outlier;
  look_for_least(sum, high);
}

// At the low end, or where the parabola has its bottom if that is between the ends; the high end is
// the next one's low end.
void Segmentation::look_for_least(const Parabola& part, double high) {
  double lowest = part.at_low;
  if ((2 * part.square * part.low) + part.linear < 0 && (2 * part.square * high) + part.linear > 0)
    lowest = part.at(-part.linear / (2 * part.square));
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
