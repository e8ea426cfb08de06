#include "analysis/bisect/gain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dragnet::bisect {
namespace {

// The mean of -log2(p + (1 - p) exp(-a (a / 2 + z))) over standard normal z: what the value tells
// on average when the event of probability p has happened.
double told(double probability, double separation) {
  double sum = 0;
  double weights = 0;
  for (int i = -8; i <= 8; ++i) {
    const double z = i * 0.5;
    const double weight = std::exp(-z * z / 2);
    const double against = std::exp(-separation * ((separation / 2) + z));
    sum -= weight * std::log2(probability + ((1 - probability) * against));
    weights += weight;
  }
  return sum / weights;
}

} // namespace

double entropy(double probability) {
  if (probability <= 0 || probability >= 1)
    return 0;
  return -(probability * std::log2(probability)) - ((1 - probability) * std::log2(1 - probability));
}

double information(double probability, double separation) {
  if (probability <= 0 || probability >= 1)
    return 0;
  const double bits = (probability * told(probability, separation)) +
                      ((1 - probability) * told(1 - probability, separation));
  return std::clamp(bits, 0.0, entropy(probability));
}

Worth worth(double probability, double separation, double build_cost, double run_cost) {
  constexpr double runs_per_round = 3;
  Worth best;
  for (std::size_t rounds = 1; rounds <= 1024; rounds *= 2) {
    const auto count = static_cast<double>(rounds);
    const double cost = build_cost + (count * runs_per_round * run_cost);
    const double rate = information(probability, separation * std::sqrt(count)) / cost;
    if (rate <= best.rate) // it only falls from here
      break;
    best = {rate, rounds};
  }
  return best;
}

} // namespace dragnet::bisect
