// Each bettor stakes by the size of a difference: with z = (difference - theta) / scale, cut off at
// +-2, its wealth is multiplied by 2 / (1 + exp(-2 b z)), which is the likelihood ratio of the sign
// for normal noise whose centre is b scales away. The factors for z and -z add up to 2, so that the
// mean is 1 if both are equally likely: a martingale, as Ramdas et al. (2023) use them for testing.
// Four boldnesses b share the initial wealth, because the effect is not known.
// The scale comes from earlier differences only and does not depend on theta: wealth is monotone in
// theta, so that the confidence set is an interval that bisection finds.

#include "stats/sequential.h"

#include "stats/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::stats {
namespace {

struct Bettor {
  double boldness;
  double share; // of the initial wealth
};

// Bold bettors get more: they decide within few pairs, where each factor of 2 costs a whole pair.
constexpr std::array<Bettor, 4> bettors = {{{.boldness = 0.2, .share = 1.0 / 6},
                                            {.boldness = 0.5, .share = 1.0 / 6},
                                            {.boldness = 1.1, .share = 2.0 / 6},
                                            {.boldness = 3.0, .share = 2.0 / 6}}};
constexpr double cut_off = 2;
constexpr double most_wealth = 1e100;
constexpr double guess_weight = 2;
constexpr double end_tolerance = 1e-7;

// E(|x|^(1/2))^2 of a standard normal x.
constexpr double half_power_of_normal = 0.6760;

// Runs the bettors through a series and keeps what they own.
class Purse {
public:
  // The wealth after a difference of z scales in the direction of the bet.
  double bet(double z) {
    const double kept = std::clamp(z, -cut_off, cut_off);
    double sum = 0;
    for (std::size_t k = 0; k < bettors.size(); ++k) {
      owned_[k] = keep(owned_[k] * 2 / (1 + std::exp(-2 * bettors[k].boldness * kept)));
      sum += bettors[k].share * owned_[k];
    }
    return sum;
  }

private:
  // Who is as good as ruined is ruined, and too rich is rich: less wealth than due is still honest.
  static double keep(double wealth) {
    return wealth < 1 / most_wealth ? 0 : std::min(wealth, most_wealth);
  }

  std::array<double, bettors.size()> owned_ = {1, 1, 1, 1};
};

double direction(Side side) {
  return side == Side::Above ? 1 : -1;
}

// The spread of a difference as the neighbours tell it, before each: the mean square root of the
// steps between neighbours, squared. It needs no centre, and outliers and slow drift move it
// little.
std::vector<double> running_scales(std::span<const double> differences, double guess) {
  std::vector<double> scales;
  scales.reserve(differences.size());
  double sum = guess_weight * std::sqrt(guess);
  double weight = guess_weight;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (i >= 2) {
      const double step = std::abs(differences[i - 1] - differences[i - 2]);
      sum += std::sqrt(step / std::numbers::sqrt2 / half_power_of_normal);
      weight += 1;
    }
    scales.push_back(sum / weight * (sum / weight));
  }
  return scales;
}

} // namespace

SequentialTest::SequentialTest(std::span<const double> differences, double scale_guess)
    : differences_(differences.begin(), differences.end()),
      scales_(running_scales(differences, scale_guess)) {}

double SequentialTest::wealth(double centre, Side side) const {
  Purse purse;
  double now = 1;
  for (std::size_t i = 0; i < differences_.size(); ++i)
    now = purse.bet(direction(side) * (differences_[i] - centre) / scales_[i]);
  return now;
}

double SequentialTest::peak_wealth(double centre, Side side) const {
  Purse purse;
  double peak = 1;
  for (std::size_t i = 0; i < differences_.size(); ++i)
    peak = std::max(peak, purse.bet(direction(side) * (differences_[i] - centre) / scales_[i]));
  return peak;
}

bool SequentialTest::rejects(double centre, Side side, double error_rate) const {
  Purse purse;
  for (std::size_t i = 0; i < differences_.size(); ++i)
    if (purse.bet(direction(side) * (differences_[i] - centre) / scales_[i]) >= 1 / error_rate)
      return true;
  return false;
}

double SequentialTest::p_value(double centre) const {
  Purse above;
  Purse below;
  double peak = 1;
  for (std::size_t i = 0; i < differences_.size(); ++i) {
    const double z = (differences_[i] - centre) / scales_[i];
    peak = std::max(peak, (above.bet(z) + below.bet(-z)) / 2);
  }
  return 1 / peak;
}

double SequentialTest::lower_bound(double error_rate, Interval limits) const {
  const auto rejected = [&](double centre) { return rejects(centre, Side::Above, error_rate); };
  if (!rejected(limits.low))
    return limits.low;
  if (rejected(limits.high))
    return limits.high;
  while (limits.high - limits.low > end_tolerance) {
    const double middle = (limits.low + limits.high) / 2;
    (rejected(middle) ? limits.low : limits.high) = middle;
  }
  return limits.low;
}

double SequentialTest::upper_bound(double error_rate, Interval limits) const {
  std::vector<double> mirrored(differences_);
  for (double& difference : mirrored)
    difference = -difference;
  SequentialTest mirror = *this;
  mirror.differences_ = std::move(mirrored);
  return -mirror.lower_bound(error_rate, {.low = -limits.high, .high = -limits.low});
}

Interval SequentialTest::confidence_interval(double error_rate, Interval limits) const {
  return {.low = lower_bound(error_rate / 2, limits), .high = upper_bound(error_rate / 2, limits)};
}

} // namespace dragnet::stats
