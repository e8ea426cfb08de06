#include "analysis/variants/likelihood.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::variants {
namespace {

// The weight of all differing pairs around each stretch. A pair (a, b) speaks for a < v <= b: the
// paper writes v < b, under which neighbours would speak for nobody.
std::vector<double> weights(std::span<const Reading> readings, const ChangeThreshold& threshold) {
  std::vector<double> steps(readings.size(), 0);
  for (std::size_t a = 0; a < readings.size(); ++a)
    for (std::size_t b = a + 1; b < readings.size(); ++b) {
      if (!threshold.exceeded(readings[a].value, readings[b].value))
        continue;
      const auto apart = static_cast<double>(readings[b].commit - readings[a].commit);
      steps[a] += 1 / (apart * apart);
      steps[b] -= 1 / (apart * apart);
    }
  for (std::size_t i = 1; i < steps.size(); ++i)
    steps[i] += steps[i - 1];
  return steps;
}

} // namespace

bool ChangeThreshold::exceeded(double one, double other) const {
  const double smaller = std::min(std::abs(one), std::abs(other));
  const double apart = std::abs(one - other);
  return apart > 0 && apart >= std::max(relative * smaller, absolute);
}

ChangeLikelihood::ChangeLikelihood(std::span<const Reading> readings, std::size_t commits,
                                   const ChangeThreshold& threshold)
    : mean_(1 / static_cast<double>(commits)) {
  const std::vector<double> weight = weights(readings, threshold);
  double total = 0;
  for (std::size_t i = 0; i + 1 < readings.size(); ++i) {
    const Stretch stretch{readings[i].commit, readings[i + 1].commit, std::max(0.0, weight[i])};
    total += stretch.density * static_cast<double>(stretch.until - stretch.after);
    stretches_.push_back(stretch);
  }
  // Sums of many terms that cancel leave something where nothing is.
  if (total < 1e-12) {
    stretches_.clear();
    return;
  }
  double squares = 0;
  double covered = 0;
  for (Stretch& stretch : stretches_) {
    stretch.density /= total;
    const auto length = static_cast<double>(stretch.until - stretch.after);
    squares += length * (stretch.density - mean_) * (stretch.density - mean_);
    covered += length;
  }
  squares += (static_cast<double>(commits) - covered) * mean_ * mean_;
  deviation_ = std::sqrt(squares * mean_);
}

double ChangeLikelihood::at(std::size_t commit) const {
  const auto stretch = std::ranges::lower_bound(stretches_, commit, {}, &Stretch::until);
  return stretch == stretches_.end() || commit <= stretch->after ? 0 : stretch->density;
}

std::vector<std::size_t> ChangeLikelihood::peaks(double deviations) const {
  std::vector<std::size_t> found;
  const double limit = mean_ + (deviations * deviation_);
  for (std::size_t first = 0; first < stretches_.size();) {
    const double density = stretches_[first].density;
    std::size_t last = first;
    while (last + 1 < stretches_.size() &&
           std::abs(stretches_[last + 1].density - density) <= 1e-9 * density)
      ++last;
    const double before = first > 0 ? stretches_[first - 1].density : 0;
    const double behind = last + 1 < stretches_.size() ? stretches_[last + 1].density : 0;
    if (density > limit && density > before && density > behind)
      found.push_back((stretches_[first].after + 1 + stretches_[last].until) / 2);
    first = last + 1;
  }
  return found;
}

} // namespace dragnet::variants
