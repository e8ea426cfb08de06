#include "stats/distributions.h"

#include <cmath>
#include <numbers>

namespace dragnet::stats {
namespace {

// Keeps a denominator of the continued fraction away from 0.
double nonzero(double x) {
  constexpr double tiny = 1e-300;
  return std::abs(x) < tiny ? tiny : x;
}

// The continued fraction of I_x(a, b), DLMF 8.17.22, by Lentz's method as modified by Thompson and
// Barnett (1986); converges fast for x below (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr int most_terms = 500;
  double c = 1;
  double d = 1 / nonzero(1 - ((a + b) * x / (a + 1)));
  double fraction = d;
  const auto apply = [&](double term) {
    d = 1 / nonzero(1 + (term * d));
    c = nonzero(1 + (term / c));
    fraction *= c * d;
    return std::abs((c * d) - 1);
  };
  for (int m = 1; m <= most_terms; ++m) {
    const double even = a + (2.0 * m);
    apply(m * (b - m) * x / ((even - 1) * even));
    if (apply(-(a + m) * (a + b + m) * x / (even * (even + 1))) < 1e-15)
      break;
  }
  return fraction;
}

// Abramowitz and Stegun (1964) 26.2.23: the upper quantile, wrong by at most 4.5e-4.
double rough_upper_quantile(double tail) {
  const double t = std::sqrt(-2 * std::log(tail));
  return t - ((2.515517 + t * (0.802853 + t * 0.010328)) /
              (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
}

} // namespace

double normal_cdf(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

// Halley's method from the rough value: each round triples the number of right digits.
double normal_quantile(double probability) {
  if (probability > 0.5)
    return -normal_quantile(1 - probability);
  double x = -rough_upper_quantile(probability);
  for (int round = 0; round < 3; ++round) {
    const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double step = (normal_cdf(x) - probability) / density;
    x -= step / (1 + x * step / 2);
  }
  return x;
}

double incomplete_beta(double x, double a, double b) {
  if (x <= 0 || x >= 1)
    return x <= 0 ? 0 : 1;
  const double front = std::exp((a * std::log(x)) + (b * std::log1p(-x))) / std::beta(a, b);
  if (x < (a + 1) / (a + b + 2))
    return front * beta_fraction(x, a, b) / a;
  return 1 - (front * beta_fraction(1 - x, b, a) / b);
}

double student_cdf(double x, double degrees) {
  const double tail = incomplete_beta(degrees / (degrees + x * x), degrees / 2, 0.5) / 2;
  return x > 0 ? 1 - tail : tail;
}

} // namespace dragnet::stats
