#include "stats/lasso.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#if defined __x86_64__ && defined __GNUC__ && !defined __SANITIZE_ADDRESS__ && !defined __clang__
#define DRAGNET_WIDE                                                                               \
  __attribute__((target_clones("avx2", "default"), optimize("O3", "unroll-loops")))
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
  std::span<const std::size_t> which; // coefficients to move
  double largest;                     // change of one of them
};

// Moves one coefficient after the other to where it is best. This is where the time goes: in
// vectors of four where the processor has them. Each move must wait for the one before it, so that
// several descents go on together, which do not wait for each other.
DRAGNET_WIDE void sweep(std::span<Descent> together) {
  std::size_t most = 0;
  for (const Descent& one : together)
    most = std::max(most, one.which.size());
  for (std::size_t turn = 0; turn < most; ++turn)
    for (Descent& one : together) {
      if (turn >= one.which.size())
        continue;
      const std::size_t i = one.which[turn];
      const double* __restrict row = one.xx + (i * one.features);
      const double old = one.coefficients[i];
      const double reach = shrunk(one.slopes[i] + (row[i] * old), one.penalty, one.sign);
      // What is the same in all cases stays zero, as most others do.
      if ((reach == 0 && old == 0) || row[i] < 1e-12)
        continue;
      const double step = (reach / row[i]) - old;
      one.coefficients[i] = reach / row[i];
      double* __restrict changed = one.slopes;
      const std::size_t features = step != 0 ? one.features : 0;
      for (std::size_t j = 0; j < features; ++j)
        changed[j] -= row[j] * step;
      one.largest = std::max(one.largest, std::abs(step));
    }
}

DRAGNET_WIDE void subtract(double* __restrict from, const double* __restrict row, double times,
                           std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    from[i] -= row[i] * times;
}

// The largest coefficient is looked for in four parts, which do not wait for each other.
bool is_settled(const std::vector<double>& coefficients, double change) {
  std::array<double, 4> sizes{};
  std::size_t i = 0;
  for (; i + sizes.size() <= coefficients.size(); i += sizes.size())
    for (std::size_t part = 0; part < sizes.size(); ++part)
      sizes[part] = std::max(sizes[part], std::abs(coefficients[i + part]));
  for (; i < coefficients.size(); ++i)
    sizes[0] = std::max(sizes[0], std::abs(coefficients[i]));
  return change <= settled * std::ranges::max(sizes);
}

// Coefficients on their way to where they are best. Most stay zero: those that do not are settled
// first, then all are looked at again.
class Settling {
public:
  Settling(Centred data, Sign sign)
      : data_(std::move(data)), sign_(sign), coefficients_(data_.features, 0),
        slopes_(data_.features), all_(data_.features) {
    std::ranges::copy(std::views::iota(std::size_t{0}, data_.features), all_.begin());
  }

  void begin(double penalty, std::vector<double> start) {
    coefficients_ = std::move(start);
    begin(penalty);
  }
  // From where it is.
  void begin(double penalty) {
    penalty_ = penalty;
    slopes_ = data_.xy;
    for (std::size_t i = 0; i < data_.features; ++i)
      if (coefficients_[i] != 0)
        subtract(slopes_.data(), data_.xx.data() + (i * data_.features), coefficients_[i],
                 data_.features);
    sweeps_ = 0;
    of_all_ = true;
  }
  Descent next() {
    return {data_.xx.data(), data_.features,         penalty_, sign_, coefficients_.data(),
            slopes_.data(),  of_all_ ? all_ : used_, 0};
  }
  // False when there is nothing more to move.
  bool take(double change) {
    const bool calm = is_settled(coefficients_, change);
    if (of_all_ && calm)
      return false;
    if (of_all_) {
      used_.clear();
      std::ranges::copy_if(all_, std::back_inserter(used_),
                           [&](std::size_t i) { return coefficients_[i] != 0; });
    }
    of_all_ = !of_all_ && calm;
    return ++sweeps_ < most_sweeps;
  }
  const std::vector<double>& coefficients() const { return coefficients_; }

private:
  Centred data_;
  Sign sign_;
  double penalty_ = 0;
  std::vector<double> coefficients_;
  std::vector<double> slopes_;
  std::vector<std::size_t> all_;
  std::vector<std::size_t> used_;
  std::size_t sweeps_ = 0;
  bool of_all_ = true; // or only of those that are not zero
};

double intercept_of(const FeatureSums& features, const ResponseSums& responses,
                    const std::vector<double>& coefficients) {
  double sum = responses.y;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    sum -= features.x[i] * coefficients[i];
  return sum / std::max(1.0, features.cases);
}

double squared_error(const FeatureSums& features, const ResponseSums& responses,
                     const LinearModel& model) {
  const std::vector<double>& b = model.coefficients;
  std::vector<double> predicted(b.size(), 0); // with each feature, summed up over the cases
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b[i] != 0)
      subtract(predicted.data(), features.xx.data() + (i * b.size()), -b[i], b.size());
  double error = responses.yy - (2 * model.intercept * responses.y) +
                 (model.intercept * model.intercept * features.cases);
  for (std::size_t i = 0; i < b.size(); ++i)
    error += b[i] * ((2 * ((model.intercept * features.x[i]) - responses.xy[i])) + predicted[i]);
  return error;
}

std::vector<double> penalties(double largest, const LassoRule& rule) {
  std::vector<double> steps(rule.penalties);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = largest * std::pow(rule.smallest,
                                  static_cast<double>(i) / static_cast<double>(steps.size() - 1));
  return steps;
}

// What is fitted to all folds but one, from penalty to penalty, and how it errs on that one.
class LeftOut {
public:
  LeftOut(std::span<const FeatureSums> features, std::span<const ResponseSums> responses,
          std::size_t fold, Sign sign)
      : others_(all_but(features, fold, features.front().x.size())),
        other_responses_(all_but(responses, fold, features.front().x.size())),
        tested_(features[fold]), tested_responses_(responses[fold]),
        settling_(Centred(others_, other_responses_), sign) {}

  /// Begins the next of these penalties; false if there is none.
  bool begin(std::span<const double> penalties) {
    if (errors_.size() == penalties.size())
      return false;
    settling_.begin(penalties[errors_.size()]);
    return true;
  }
  Descent next() { return settling_.next(); }
  /// False when it is done with all penalties.
  bool take(double change, std::span<const double> penalties) {
    if (settling_.take(change))
      return true;
    LinearModel model{.intercept = 0, .coefficients = settling_.coefficients()};
    model.intercept = intercept_of(others_, other_responses_, model.coefficients);
    errors_.push_back(squared_error(tested_, tested_responses_, model));
    return begin(penalties);
  }
  const std::vector<double>& errors() const { return errors_; }

private:
  FeatureSums others_;
  ResponseSums other_responses_;
  const FeatureSums& tested_;
  const ResponseSums& tested_responses_;
  Settling settling_;
  std::vector<double> errors_; // by penalty
};

// The folds do not need each other, and so go on together.
void fit_all(std::vector<LeftOut>& folds, std::span<const double> penalties) {
  std::vector<LeftOut*> open;
  for (LeftOut& fold : folds)
    if (fold.begin(penalties))
      open.push_back(&fold);
  std::vector<Descent> together;
  while (!open.empty()) {
    together.clear();
    for (LeftOut* fold : open)
      together.push_back(fold->next());
    sweep(together);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < together.size(); ++i)
      if (open[i]->take(together[i].largest, penalties))
        open[kept++] = open[i];
    open.resize(kept);
  }
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
  Settling settling(Centred(features, responses), sign);
  settling.begin(penalty, std::move(start));
  for (bool more = true; more;) {
    Descent descent = settling.next();
    sweep({&descent, 1});
    more = settling.take(descent.largest);
  }
  LinearModel model{.intercept = 0, .coefficients = settling.coefficients()};
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
  std::vector<LeftOut> folds;
  folds.reserve(features.size());
  for (std::size_t fold = 0; fold < features.size(); ++fold)
    folds.emplace_back(features, responses, fold, rule.sign);
  fit_all(folds, tried);
  std::vector<double> errors(tried.size(), 0);
  for (const LeftOut& fold : folds)
    for (std::size_t i = 0; i < tried.size(); ++i)
      errors[i] += fold.errors()[i];
  const auto best = static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin());
  return lasso(all, all_responses, tried[best], rule.sign, {});
}

} // namespace dragnet::stats
