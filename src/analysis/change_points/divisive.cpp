#include "analysis/change_points/divisive.h"

#include "stats/distributions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace dragnet::change_points {
namespace {

using Values = std::span<const double>;
using Indices = std::vector<std::size_t>;

struct Candidate {
  std::size_t index = 0;
  double energy = -std::numeric_limits<double>::infinity();
};

// Where the energy distance between a beginning and what follows it, up to any end, is largest:
// twice the mean distance across less those within, weighted by the sizes (their section 2.2). Sums
// of distances grow by one point at a time.
Candidate best_split(Values values) {
  const std::size_t size = values.size();
  std::vector<double> within_first(size + 1, 0); // pairs among the first so many
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < i; ++j)
      sum += std::abs(values[i] - values[j]);
    within_first[i + 1] = within_first[i] + sum;
  }
  std::vector<double> to_later(size, 0); // distances of a point to later ones before the end
  Candidate best;
  for (std::size_t end = 2; end <= size; ++end) {
    double within_last = 0;
    for (std::size_t split = end - 1; split > 0; --split) {
      to_later[split] += split + 1 < end ? std::abs(values[split] - values[end - 1]) : 0;
      within_last += to_later[split];
      const auto n = static_cast<double>(split);
      const auto m = static_cast<double>(end - split);
      const double across = within_first[end] - within_first[split] - within_last;
      double energy = 2 / (m + n) * across;
      energy -= split > 1 ? 2 * m / (m + n) / (n - 1) * within_first[split] : 0;
      energy -= end - split > 1 ? 2 * n / (m + n) / (m - 1) * within_last : 0;
      if (energy > best.energy || (energy == best.energy && split < best.index))
        best = {split, energy};
    }
  }
  return best;
}

Candidate best_of_all(Values values, const Indices& bounds) {
  Candidate best;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    if (bounds[i + 1] - bounds[i] < 2)
      continue;
    Candidate candidate = best_split(values.subspan(bounds[i], bounds[i + 1] - bounds[i]));
    candidate.index += bounds[i];
    if (candidate.energy > best.energy)
      best = candidate;
  }
  return best;
}

// Splits on while the test agrees; the bounds include both ends of the series.
using Test = std::function<bool(const Candidate&, const Indices& bounds)>;
Indices split_while(Values values, const Test& significant) {
  Indices bounds = {0, values.size()};
  while (true) {
    const Candidate best = best_of_all(values, bounds);
    if (best.index == 0 || !significant(best, bounds))
      return bounds;
    bounds.insert(std::ranges::upper_bound(bounds, best.index), best.index);
  }
}

struct Side {
  double mean = 0;
  double variance = 0; // of the values themselves, as Otava takes it
  double count = 0;
};

Side side_of(Values values) {
  Side side;
  side.count = static_cast<double>(values.size());
  for (const double value : values)
    side.mean += value / side.count;
  for (const double value : values)
    side.variance += (value - side.mean) * (value - side.mean) / side.count;
  return side;
}

struct Strength {
  double p_value = 1;
  double magnitude = 0;
};

// Student's t-test with a common variance, and the larger of the relative changes either way.
Strength compare(Values left, Values right) {
  const Side a = side_of(left);
  const Side b = side_of(right);
  Strength strength;
  const auto share = [](double from, double to) {
    return from == 0 ? 0 : std::abs((to / from) - 1);
  };
  strength.magnitude = std::max(share(a.mean, b.mean), share(b.mean, a.mean));
  const double degrees = a.count + b.count - 2;
  if (degrees <= 0)
    return strength;
  const double variance = ((a.count - 1) * a.variance + (b.count - 1) * b.variance) / degrees;
  const double error = std::sqrt(variance * (1 / a.count + 1 / b.count));
  if (error > 0)
    strength.p_value = 2 * stats::student_cdf(-std::abs(a.mean - b.mean) / error, degrees);
  else
    strength.p_value = a.mean == b.mean ? 1 : 0;
  return strength;
}

Strength strength_at(Values values, const Indices& bounds, std::size_t index) {
  const auto after = std::ranges::upper_bound(bounds, index);
  const auto before = std::prev(std::ranges::lower_bound(bounds, index));
  return compare(values.subspan(*before, index - *before), values.subspan(index, *after - index));
}

// Weak candidates of all windows.
Indices weak_candidates(Values values, std::size_t window, double significance) {
  Indices found;
  std::size_t start = 0;
  while (start < values.size()) {
    const Values part = values.subspan(start, std::min(window, values.size() - start));
    const Indices bounds = split_while(part, [&](const Candidate& candidate, const Indices& now) {
      return strength_at(part, now, candidate.index).p_value <= significance;
    });
    std::size_t last = 0;
    for (std::size_t i = 1; i + 1 < bounds.size(); ++i) {
      last = start + bounds[i];
      found.push_back(last);
    }
    start = std::max(last, start + (window / 2));
  }
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

// The one to take away next: the least significant, else the smallest; none if all are strong.
std::optional<std::size_t> weakest(const std::vector<Strength>& strengths,
                                   const WindowedRule& rule) {
  const auto doubtful = std::ranges::max_element(strengths, {}, &Strength::p_value);
  if (doubtful->p_value >= rule.significance)
    return static_cast<std::size_t>(doubtful - strengths.begin());
  const auto smallest = std::ranges::min_element(strengths, {}, &Strength::magnitude);
  if (smallest->magnitude > rule.smallest_effect)
    return std::nullopt;
  return static_cast<std::size_t>(smallest - strengths.begin());
}

} // namespace

std::vector<std::size_t> divisive(std::span<const double> values, const DivisiveRule& rule) {
  if (values.size() < 2)
    return {};
  std::mt19937_64 random(rule.seed);
  Indices bounds = split_while(values, [&](const Candidate& candidate, const Indices& now) {
    std::size_t larger = 0;
    std::vector<double> shuffled(values.begin(), values.end());
    for (std::size_t round = 0; round < rule.permutations; ++round) {
      for (std::size_t i = 0; i + 1 < now.size(); ++i)
        std::shuffle(shuffled.begin() + static_cast<std::ptrdiff_t>(now[i]),
                     shuffled.begin() + static_cast<std::ptrdiff_t>(now[i + 1]), random);
      larger += best_of_all(shuffled, now).energy >= candidate.energy ? 1 : 0;
    }
    return static_cast<double>(larger) / static_cast<double>(rule.permutations + 1) <=
           rule.significance;
  });
  return {bounds.begin() + 1, bounds.end() - 1};
}

std::vector<std::size_t> windowed_divisive(std::span<const double> values,
                                           const WindowedRule& rule) {
  const double factor = rule.significance < 0.05 ? 10 : rule.significance < 0.5 ? 2 : 1;
  Indices changes = weak_candidates(values, rule.window, rule.significance * factor);
  std::vector<Strength> strengths(changes.size());
  const auto judge = [&](std::size_t i) {
    if (i >= changes.size())
      return;
    Indices bounds = changes;
    bounds.insert(bounds.begin(), 0);
    bounds.push_back(values.size());
    strengths[i] = strength_at(values, bounds, changes[i]);
  };
  for (std::size_t i = 0; i < changes.size(); ++i)
    judge(i);
  while (!changes.empty()) {
    const auto next = weakest(strengths, rule);
    if (!next)
      break;
    changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(*next));
    strengths.erase(strengths.begin() + static_cast<std::ptrdiff_t>(*next));
    judge(*next); // as Otava does: those after it, not the one before
    judge(*next + 1);
  }
  return changes;
}

} // namespace dragnet::change_points
