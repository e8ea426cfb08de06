#include "analysis/bisect/grid.h"

#include "stats/quantiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <vector>

namespace dragnet::bisect {
namespace {

// Of one measurement, as logarithms: noise that is smaller than this is not told from none.
constexpr double least_noise = 1e-6;

// The variances of step and rise, in squares of a single measurement's noise. With equal noise both
// are uncorrelated: they hold all that a round says but for the machine's level.
constexpr double step_variance = 2;
constexpr double rise_variance = 1.5;

// The logarithm of what does not depend on the values in the density of a multivariate t: one scale
// of noise for the whole round, which makes a round with a spike count less.
double log_constant(double tail, double dimensions) {
  return std::log(std::tgamma((tail + dimensions) / 2) / std::tgamma(tail / 2)) -
         (dimensions / 2 * std::log(tail * std::numbers::pi));
}

struct Moments {
  double weight = 0;
  double sum = 0;
  double squares = 0;

  void add(double value, double share) {
    weight += share;
    sum += share * value;
    squares += share * value * value;
  }
  double mean() const { return sum / weight; }
  double deviation() const {
    return std::sqrt(std::max(0.0, (squares / weight) - (mean() * mean())));
  }
};

// Five deviations to each side, and not so narrow that it falls between the old points.
Range around_moments(const Moments& moments, double spacing) {
  return {moments.mean(), 5 * std::max(moments.deviation(), 0.4 * spacing)};
}

} // namespace

Grid::Grid(const std::array<Area, tails.size()>& areas) {
  for (const Area& area : areas)
    for (std::size_t noise = 0; noise < noises; ++noise)
      for (std::size_t step = 0; step < steps; ++step) {
        steps_.push_back(area.step.at(step, steps));
        log_noises_.push_back(std::max(area.log_noise.at(noise, noises), std::log(least_noise)));
        log_prior_.push_back(std::log(area.step.half_width * area.log_noise.half_width));
      }
}

std::array<Area, tails.size()> Grid::around(const std::vector<double>& weights) const {
  std::array<Area, tails.size()> areas;
  for (std::size_t tail = 0; tail < tails.size(); ++tail) {
    const std::size_t first = tail * block;
    Moments step;
    Moments noise;
    for (std::size_t point = first; point < first + block; ++point) {
      step.add(steps_[point], weights[point] + 1e-300);
      noise.add(log_noises_[point], weights[point] + 1e-300);
    }
    areas[tail] = {around_moments(step, steps_[first + 1] - steps_[first]),
                   around_moments(noise, log_noises_[first + steps] - log_noises_[first])};
    areas[tail].log_noise.half_width = std::max(areas[tail].log_noise.half_width, 1e-3);
  }
  return areas;
}

std::array<Area, tails.size()> first_areas(const std::vector<Contrast>& rounds) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const Contrast& round : rounds)
    values.push_back(round.step);
  const auto count = static_cast<double>(values.size());
  const double deviation = std::max(1.4826 * stats::mad(values), least_noise);
  const double centre = stats::median(values);
  const Range step{centre, 6 * 1.25 * deviation / std::sqrt(count) * (1 + (4 / count))};
  const double noise = std::log(deviation / std::numbers::sqrt2); // of one measurement
  const double unsure = 1 + (4 / std::sqrt(count));
  return {Area{step, {noise - 0.3, unsure}}, Area{step, {noise, unsure}}};
}

Likelihood::Likelihood(std::optional<double> level)
    : level_(level), log_sums_(Grid::points, 0.0), products_(Grid::points, 1.0) {}

void Likelihood::add(const Grid& grid, const Contrast& round) {
  std::array<double, Grid::steps> distances{};
  const double rise = round.rise.value_or(0);
  for (std::size_t tail = 0; tail < tails.size(); ++tail) {
    const std::size_t first = tail * Grid::block;
    for (std::size_t i = 0; i < Grid::steps; ++i) {
      const double step = grid.step(first + i);
      const double off_step = round.step - step;
      const double off_rise = level_ ? rise - (step * (*level_ - 0.5)) : 0;
      distances[i] = (off_step * off_step / step_variance) + (off_rise * off_rise / rise_variance);
    }
    for (std::size_t noise = 0; noise < Grid::noises; ++noise) {
      const std::size_t row = first + (noise * Grid::steps);
      const double scale = std::exp(-2 * grid.log_noise(row)) / tails[tail];
      for (std::size_t i = 0; i < Grid::steps; ++i)
        products_[row + i] *= 1 + (distances[i] * scale);
    }
  }
  ++rounds_;
  if (++pending_ == 8)
    settle();
}

void Likelihood::settle() {
  for (std::size_t point = 0; point < Grid::points; ++point) {
    log_sums_[point] += std::log(products_[point]);
    products_[point] = 1;
  }
  pending_ = 0;
}

std::vector<double> Likelihood::values(const Grid& grid) const {
  const double dimensions = level_ ? 2 : 1;
  const auto rounds = static_cast<double>(rounds_);
  std::vector<double> values(Grid::points);
  std::array<double, tails.size()> constants{};
  for (std::size_t tail = 0; tail < tails.size(); ++tail)
    constants[tail] = log_constant(tails[tail], dimensions);
  for (std::size_t point = 0; point < Grid::points; ++point) {
    const double logs = log_sums_[point] + (pending_ > 0 ? std::log(products_[point]) : 0);
    values[point] =
        (rounds * (constants[point / Grid::block] - (dimensions * grid.log_noise(point)))) -
        ((Grid::tail(point) + dimensions) / 2 * logs);
  }
  return values;
}

} // namespace dragnet::bisect
