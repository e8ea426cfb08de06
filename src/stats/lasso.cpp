#include "stats/lasso.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#if defined __x86_64__ && defined __GNUC__ && !defined __SANITIZE_ADDRESS__ && !defined __clang__
#define DRAGNET_WIDE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define DRAGNET_WIDE
#endif

namespace dragnet::stats {
namespace {

constexpr std::size_t most_sweeps = 200;
constexpr double settled =
    1e-4; // a change of this part of the largest coefficient, as in scikit-learn

void add_to(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] += more[i];
}

void add_to(FeatureSums& sums, const FeatureSums& more) {
  sums.cases += more.cases;
  add_to(sums.x, more.x);
  add_to(sums.xx, more.xx);
}

void add_to(ResponseSums& sums, const ResponseSums& more) {
  sums.y += more.y;
  sums.yy += more.yy;
  add_to(sums.xy, more.xy);
}

// Sums over other sums, one of them left out.
template <class Sums>
Sums all_but(std::span<const Sums> folds, std::size_t left_out, std::size_t features) {
  Sums total(features);
  for (std::size_t i = 0; i < folds.size(); ++i)
    if (i != left_out)
      add_to(total, folds[i]);
  return total;
}

// Covariances: of the features with each other and with the response.
struct Centred {
  std::size_t features;
  std::vector<double> xx;
  std::vector<double> xy;

  Centred(const FeatureSums& sums, const ResponseSums& responses)
      : features(sums.x.size()), xx(sums.xx.size()), xy(features) {
    const double n = std::max(1.0, sums.cases);
    for (std::size_t i = 0; i < features; ++i) {
      xy[i] = (responses.xy[i] / n) - (sums.x[i] / n * responses.y / n);
      for (std::size_t j = 0; j < features; ++j)
        xx[(i * features) + j] =
            (sums.xx[(i * features) + j] / n) - (sums.x[i] / n * sums.x[j] / n);
    }
  }
  double largest_penalty(Sign sign) const {
    double largest = 0;
    for (const double covariance : xy)
      largest = std::max(largest, sign == Sign::Any ? std::abs(covariance) : covariance);
    return largest;
  }
};

double shrunk(double value, double penalty, Sign sign) {
  if (value > penalty)
    return value - penalty;
  return sign == Sign::Any && value < -penalty ? value + penalty : 0;
}

// Coefficients and their slopes: the slopes are xy - xx * coefficients.
struct Descent {
  const double* xx;
  std::size_t features;
  double penalty;
  Sign sign;
  double* coefficients;
  double* slopes;
};

// Moves one coefficient after the other to where it is best; the largest change. This is where the
// time goes: in vectors of four where the processor has them.
DRAGNET_WIDE double move(const Descent& descent, std::span<const std::size_t> which) {
  const auto [xx, features, penalty, sign, coefficients, slopes] = descent;
  double largest = 0;
  for (const std::size_t i : which) {
    const double* __restrict row = xx + (i * features);
    const double old = coefficients[i];
    const double reach = shrunk(slopes[i] + (row[i] * old), penalty, sign);
    // What is the same in all cases stays zero, as most others do.
    if ((reach == 0 && old == 0) || row[i] < 1e-12)
      continue;
    const double step = (reach / row[i]) - old;
    coefficients[i] = reach / row[i];
    double* __restrict changed = slopes;
    for (std::size_t j = 0; step != 0 && j < features; ++j)
      changed[j] -= row[j] * step;
    largest = std::max(largest, std::abs(step));
  }
  return largest;
}

bool is_settled(const std::vector<double>& coefficients, double change) {
  double size = 0;
  for (const double coefficient : coefficients)
    size = std::max(size, std::abs(coefficient));
  return change <= settled * size;
}

// Most coefficients stay zero: those that do not are settled first, then all are looked at again.
void descend(const Centred& data, double penalty, Sign sign, std::vector<double>& coefficients) {
  std::vector<double> slopes = data.xy;
  for (std::size_t i = 0; i < data.features; ++i)
    for (std::size_t j = 0; coefficients[i] != 0 && j < data.features; ++j)
      slopes[j] -= data.xx[(i * data.features) + j] * coefficients[i];
  const Descent descent{data.xx.data(), data.features,       penalty,
                        sign,           coefficients.data(), slopes.data()};
  std::vector<std::size_t> all(data.features);
  std::ranges::copy(std::views::iota(std::size_t{0}, data.features), all.begin());
  std::vector<std::size_t> used;
  for (std::size_t pass = 0; pass < most_sweeps; ++pass) {
    if (is_settled(coefficients, move(descent, all)))
      return;
    used.clear();
    std::ranges::copy_if(all, std::back_inserter(used),
                         [&](std::size_t i) { return coefficients[i] != 0; });
    while (++pass < most_sweeps && !is_settled(coefficients, move(descent, used)))
      continue;
  }
}

double intercept_of(const FeatureSums& features, const ResponseSums& responses,
                    const std::vector<double>& coefficients) {
  double sum = responses.y;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    sum -= features.x[i] * coefficients[i];
  return sum / std::max(1.0, features.cases);
}

double squared_error(const FeatureSums& features, const ResponseSums& responses,
                     const LinearModel& model) {
  const std::size_t size = model.coefficients.size();
  double error = responses.yy - (2 * model.intercept * responses.y) +
                 (model.intercept * model.intercept * features.cases);
  for (std::size_t i = 0; i < size; ++i) {
    const double b = model.coefficients[i];
    if (b == 0)
      continue;
    error += 2 * b * ((model.intercept * features.x[i]) - responses.xy[i]);
    for (std::size_t j = 0; j < size; ++j)
      error += b * model.coefficients[j] * features.xx[(i * size) + j];
  }
  return error;
}

std::vector<double> penalties(double largest, const LassoRule& rule) {
  std::vector<double> steps(rule.penalties);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = largest * std::pow(rule.smallest,
                                  static_cast<double>(i) / static_cast<double>(steps.size() - 1));
  return steps;
}

} // namespace

void FeatureSums::add(std::span<const double> features) {
  ++cases;
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i] == 0)
      continue;
    x[i] += features[i];
    for (std::size_t j = 0; j < features.size(); ++j)
      xx[(i * features.size()) + j] += features[i] * features[j];
  }
}

void ResponseSums::add(std::span<const double> features, double response) {
  y += response;
  yy += response * response;
  if (response == 0)
    return;
  for (std::size_t i = 0; i < features.size(); ++i)
    xy[i] += features[i] * response;
}

LinearModel lasso(const FeatureSums& features, const ResponseSums& responses, double penalty,
                  Sign sign, std::vector<double> start) {
  start.resize(features.x.size(), 0);
  descend(Centred(features, responses), penalty, sign, start);
  LinearModel model{.intercept = 0, .coefficients = std::move(start)};
  model.intercept = intercept_of(features, responses, model.coefficients);
  return model;
}

LinearModel lasso_by_folds(std::span<const FeatureSums> features,
                           std::span<const ResponseSums> responses, const LassoRule& rule) {
  const std::size_t size = features.front().x.size();
  const FeatureSums all = all_but(features, features.size(), size);
  const ResponseSums all_responses = all_but(responses, responses.size(), size);
  const double largest = Centred(all, all_responses).largest_penalty(rule.sign);
  if (largest <= 0)
    return lasso(all, all_responses, 1, rule.sign, {});
  const std::vector<double> tried = penalties(largest, rule);
  std::vector<double> errors(tried.size(), 0);
  for (std::size_t fold = 0; fold < features.size(); ++fold) {
    const FeatureSums others = all_but(features, fold, size);
    const ResponseSums other_responses = all_but(responses, fold, size);
    const Centred data(others, other_responses);
    LinearModel model{.intercept = 0, .coefficients = std::vector<double>(size, 0)};
    for (std::size_t i = 0; i < tried.size(); ++i) {
      descend(data, tried[i], rule.sign, model.coefficients);
      model.intercept = intercept_of(others, other_responses, model.coefficients);
      errors[i] += squared_error(features[fold], responses[fold], model);
    }
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin());
  return lasso(all, all_responses, tried[best], rule.sign, {});
}

} // namespace dragnet::stats
