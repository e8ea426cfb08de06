#include "analysis/bisect/suspects.h"

#include "base/ensure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace dragnet::bisect {

Suspects::Suspects(std::span<const double> weights)
    : prior_(weights.size() + 1), sums_(weights.size() + 1), unbuildable_(weights.size() + 1) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  ensure(!weights.empty() && std::isfinite(total) && total > 0, "a search has suspects");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ensure(weights[i] >= 0, "a prior weight is not negative");
    prior_[i + 1] = weights[i] / total;
    sums_[i + 1] = sums_[i] + prior_[i + 1];
  }
}

std::size_t Suspects::unbuildable() const {
  return static_cast<std::size_t>(std::ranges::count(unbuildable_, 1));
}

std::vector<double> Suspects::building_chances() const {
  std::vector<double> chances(prior_.size(), 1);
  double risk = 0; // halves with each commit away from one that is broken
  const auto pass = [&](std::size_t position) {
    risk = builds(position) ? risk / 2 : 0.8;
    chances[position] = std::min(chances[position], 1 - risk);
  };
  for (std::size_t position = 0; position < prior_.size(); ++position)
    pass(position);
  risk = 0;
  for (std::size_t position = prior_.size(); position-- > 0;)
    pass(position);
  return chances;
}

std::vector<double> Suspects::spread(std::span<const std::size_t> measured,
                                     std::span<const double> stretches) const {
  std::vector<double> probabilities(prior_.size());
  std::size_t after = 0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::size_t until = i < measured.size() ? measured[i] : last();
    const double mass = prior(after, until);
    for (std::size_t position = after + 1; position <= until && mass > 0; ++position)
      probabilities[position] = stretches[i] * prior_[position] / mass;
    after = until;
  }
  return probabilities;
}

std::vector<Group> Suspects::groups(std::span<const double> probabilities) const {
  std::vector<Group> groups;
  Group group{.first = 1, .last = 1, .probability = 0};
  for (std::size_t position = 1; position <= last(); ++position) {
    group.probability += probabilities[position];
    group.last = position;
    if (!builds(position))
      continue;
    groups.push_back(group);
    group = {.first = position + 1, .last = position + 1, .probability = 0};
  }
  std::ranges::stable_sort(
      groups, [](const Group& a, const Group& b) { return a.probability > b.probability; });
  return groups;
}

} // namespace dragnet::bisect
