#include "stats/monotone.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace dragnet::stats {
namespace {

constexpr int rounds = 120;
constexpr double rate = 0.1; // of each step that is taken
constexpr double ridge = 1;  // added to the curvature of each side

// Sums of first and second derivatives of the loss over some cases.
struct Sums {
  double slope = 0;
  double curvature = 0;

  double step() const { return slope / (curvature + ridge); }
  double gain() const { return slope * slope / (curvature + ridge); }
};

struct Split {
  Stump stump;
  double below = 0; // what is added to all
  double gain = 0;
};

class Boosting {
public:
  explicit Boosting(const LabelledCases& cases)
      : cases_(&cases), odds_(cases.happened.size()), derivatives_(odds_.size()),
        orders_(cases.features) {
    for (std::size_t i = 0; i < cases.features; ++i) {
      orders_[i].resize(odds_.size());
      std::iota(orders_[i].begin(), orders_[i].end(), std::size_t{0});
      std::ranges::stable_sort(orders_[i], {}, [&](std::size_t row) { return cases.of(row)[i]; });
    }
    const double events = std::accumulate(cases.happened.begin(), cases.happened.end(), 0.0);
    const auto all = static_cast<double>(odds_.size());
    model_.intercept = std::log((events + 0.5) / (all - events + 0.5));
    std::ranges::fill(odds_, model_.intercept);
  }

  Stumps learn() {
    for (int round = 0; round < rounds; ++round) {
      const Sums all = derive();
      Split best;
      for (std::size_t i = 0; i < orders_.size(); ++i)
        consider(i, all, best);
      if (best.gain <= all.gain() + 1e-9)
        break;
      take(best);
    }
    return model_;
  }

private:
  Sums derive() {
    Sums all;
    for (std::size_t row = 0; row < odds_.size(); ++row) {
      const double p = 1 / (1 + std::exp(-odds_[row]));
      derivatives_[row] = {.slope = (cases_->happened[row] == 0 ? 0.0 : 1.0) - p,
                           .curvature = p * (1 - p)};
      all.slope += derivatives_[row].slope;
      all.curvature += derivatives_[row].curvature;
    }
    return all;
  }

  // The best rising stump of a feature, if it is better than the best so far.
  void consider(std::size_t feature, const Sums& all, Split& best) const {
    const auto& order = orders_[feature];
    Sums below;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      below.slope += derivatives_[order[i]].slope;
      below.curvature += derivatives_[order[i]].curvature;
      const double here = cases_->of(order[i])[feature];
      const double next = cases_->of(order[i + 1])[feature];
      if (here == next)
        continue;
      const Sums above{.slope = all.slope - below.slope,
                       .curvature = all.curvature - below.curvature};
      const double gain = below.gain() + above.gain();
      if (gain > best.gain && above.step() > below.step())
        best = {.stump = {.feature = feature,
                          .above = (here + next) / 2,
                          .step = rate * (above.step() - below.step())},
                .below = rate * below.step(),
                .gain = gain};
    }
  }

  void take(const Split& split) {
    model_.intercept += split.below;
    model_.stumps.push_back(split.stump);
    for (std::size_t row = 0; row < odds_.size(); ++row) {
      const bool above = cases_->of(row)[split.stump.feature] > split.stump.above;
      odds_[row] += split.below + (above ? split.stump.step : 0);
    }
  }

  const LabelledCases* cases_;
  std::vector<double> odds_;
  std::vector<Sums> derivatives_;
  std::vector<std::vector<std::size_t>> orders_; // of each feature, its cases by value
  Stumps model_;
};

} // namespace

double Stumps::log_odds(std::span<const double> features) const {
  double odds = intercept;
  for (const Stump& stump : stumps)
    odds += features[stump.feature] > stump.above ? stump.step : 0;
  return odds;
}

Stumps learn_stumps(const LabelledCases& cases) {
  return Boosting(cases).learn();
}

} // namespace dragnet::stats
