#include "stats/monotone.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace dragnet::stats {
namespace {

constexpr double ridge = 1; // a normal prior of weights per standard deviation
constexpr double intercept_ridge = 1e-6;
constexpr double no_spread = 1e-9;

using Vector = std::vector<double>;

// log(1 + exp(x)) without overflow.
double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Each feature's standard deviation.
Vector spreads(const LabelledCases& cases) {
  const std::size_t rows = cases.happened.size();
  Vector result(cases.features, 0.0);
  for (std::size_t i = 0; i < cases.features; ++i) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row)
      sum += cases.of(row)[i];
    const double mean = sum / static_cast<double>(rows);
    double squares = 0;
    for (std::size_t row = 0; row < rows; ++row)
      squares += (cases.of(row)[i] - mean) * (cases.of(row)[i] - mean);
    result[i] = std::sqrt(squares / static_cast<double>(rows));
  }
  return result;
}

class Regression {
public:
  Regression(const LabelledCases& cases, const Vector& spread)
      : size_(cases.features + 1), happened_(&cases.happened) {
    rows_.reserve(cases.happened.size() * size_);
    for (std::size_t row = 0; row < cases.happened.size(); ++row) {
      for (std::size_t i = 0; i < cases.features; ++i)
        rows_.push_back(spread[i] > no_spread ? cases.of(row)[i] / spread[i] : 0);
      rows_.push_back(1);
    }
  }

  // The weights, with the intercept as the last one.
  Vector solve() const {
    constexpr int most_steps = 50;
    Vector weights = start();
    double loss = loss_of(weights);
    for (int step = 0; step < most_steps; ++step) {
      const Vector next = shortened(weights, loss, newton(weights));
      const double reached = loss_of(next);
      const bool settled = loss - reached <= 1e-9 * (1 + std::abs(loss));
      if (reached < loss) {
        weights = next;
        loss = reached;
      }
      if (settled)
        break;
    }
    return weights;
  }

private:
  std::span<const double> row(std::size_t index) const {
    return std::span(rows_).subspan(index * size_, size_);
  }

  double ridge_of(std::size_t i) const { return i + 1 == size_ ? intercept_ridge : ridge; }

  Vector start() const {
    const double events = std::accumulate(happened_->begin(), happened_->end(), 0.0);
    Vector weights(size_, 0.0);
    weights.back() =
        std::log((events + 0.5) / (static_cast<double>(happened_->size()) - events + 0.5));
    return weights;
  }

  double loss_of(const Vector& weights) const {
    double loss = 0;
    for (std::size_t i = 0; i < size_; ++i)
      loss += ridge_of(i) * weights[i] * weights[i] / 2;
    for (std::size_t index = 0; index < happened_->size(); ++index) {
      const double odds = product(row(index), weights);
      loss += softplus(odds) - ((*happened_)[index] == 0 ? 0 : odds);
    }
    return loss;
  }

  // The best weights, none negative, of the loss's quadratic approximation at these.
  Vector newton(const Vector& weights) const {
    Vector curvature(size_ * size_, 0.0);
    Vector slope(size_, 0.0);
    for (std::size_t index = 0; index < happened_->size(); ++index)
      add_case(index, weights, curvature, slope);
    for (std::size_t i = 0; i < size_; ++i) {
      slope[i] -= ridge_of(i) * weights[i];
      curvature[(i * size_) + i] += ridge_of(i);
      for (std::size_t j = 0; j < i; ++j)
        curvature[(j * size_) + i] = curvature[(i * size_) + j];
    }
    return descend(curvature, slope, weights);
  }

  void add_case(std::size_t index, const Vector& weights, Vector& curvature, Vector& slope) const {
    const auto values = row(index);
    const double p = sigmoid(product(values, weights));
    const double weight = std::max(p * (1 - p), 1e-6);
    const double error = ((*happened_)[index] == 0 ? 0.0 : 1.0) - p;
    for (std::size_t i = 0; i < size_; ++i) {
      slope[i] += values[i] * error;
      const double weighted = weight * values[i];
      if (weighted == 0)
        continue;
      for (std::size_t j = 0; j <= i; ++j)
        curvature[(i * size_) + j] += weighted * values[j];
    }
  }

  Vector descend(const Vector& curvature, Vector slope, Vector weights) const {
    constexpr int most_sweeps = 500;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double moved = 0;
      for (std::size_t i = 0; i < size_; ++i) {
        const double target = weights[i] + (slope[i] / curvature[(i * size_) + i]);
        const double move = (i + 1 == size_ ? target : std::max(target, 0.0)) - weights[i];
        if (move == 0)
          continue;
        weights[i] += move;
        for (std::size_t j = 0; j < size_; ++j)
          slope[j] -= curvature[(i * size_) + j] * move;
        moved = std::max(moved, std::abs(move));
      }
      if (moved <= 1e-8)
        break;
    }
    // Adding the way to 0 may miss it by rounding.
    for (std::size_t i = 0; i + 1 < size_; ++i)
      weights[i] = std::max(weights[i], 0.0);
    return weights;
  }

  // On the way to the target, halving the distance until the loss falls.
  Vector shortened(const Vector& weights, double loss, Vector target) const {
    for (int halving = 0; halving < 20 && loss_of(target) > loss; ++halving)
      for (std::size_t i = 0; i < size_; ++i)
        target[i] = (target[i] + weights[i]) / 2;
    return target;
  }

  std::size_t size_;
  const std::vector<std::uint8_t>* happened_;
  Vector rows_; // standardised, with a 1 at the end of each
};

} // namespace

double Logistic::log_odds(std::span<const double> features) const {
  return intercept + product(weights, features);
}

Logistic learn_logistic(const LabelledCases& cases) {
  const Vector spread = spreads(cases);
  const Vector solved = Regression(cases, spread).solve();
  Logistic model{.intercept = solved.back(), .weights = Vector(cases.features, 0.0)};
  for (std::size_t i = 0; i < cases.features; ++i)
    model.weights[i] = spread[i] > no_spread ? solved[i] / spread[i] : 0;
  return model;
}

} // namespace dragnet::stats
