// Simulated histories with a planted step, and searches for it: ours, plain bisection by a
// threshold as `git bisect run` does it with a script, and the rule of `asv find`.
#pragma once

#include "noise.h"

#include "analysis/bisect/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::eval {

/// What kind of history and machine; the numbers are shares.
struct Scenario {
  double step = 0.1;
  double spread = 0.03;
  std::size_t noise = 0; ///< see noises
  double broken = 0;     ///< commits that do not build
  std::string prior = "flat";
  double layout = 0;  ///< how much a build is off by chance, whenever it runs
  double another = 0; ///< a second, smaller step somewhere

  std::string name() const {
    return std::to_string(std::lround(step * 1000)) + "/" +
           std::to_string(std::lround(spread * 1000)) + "/" + std::string(noises.at(noise)) + "/" +
           std::to_string(std::lround(broken * 100)) + "/" + prior + "/" +
           std::to_string(std::lround(layout * 1000)) + "/" +
           std::to_string(std::lround(another * 1000));
  }
};

/// What came out of a search.
struct Found {
  char verdict = 'n';     ///< r: right, w: wrong, n: nothing named
  bool covered = false;   ///< whether the interval of the effect holds the step
  std::size_t builds = 0; ///< both ends and those that failed included
  std::size_t runs = 0;
  double stated = 0; ///< the probability that it names the culprit with
};

/// One history and its machine.
class World {
public:
  static constexpr std::size_t commits = 1000;

  World(const Scenario& scenario, std::uint64_t seed)
      : scenario_(scenario), random_(seed), machine_(scenario.noise, scenario.spread, random_),
        culprit_(1 + (random_() % commits)), levels_(commits + 1), builds_(commits + 1, true) {
    const std::size_t other = 1 + (random_() % commits);
    for (std::size_t i = 0; i <= commits; ++i) {
      levels_[i] = i >= culprit_ ? std::log1p(scenario.step) : 0;
      levels_[i] += i >= other ? std::log1p(scenario.another) : 0;
      levels_[i] += scenario.layout > 0 ? scenario.layout * normal() : 0;
      builds_[i] = i == 0 || i == commits || !chance(scenario.broken);
    }
  }

  bool builds(std::size_t position) const { return builds_[position]; }
  double measure(std::size_t position) {
    ++runs_;
    return machine_.next() * std::exp(levels_[position]);
  }
  double median_of(std::size_t position, std::size_t runs) {
    std::vector<double> values(runs);
    for (double& value : values)
      value = measure(position);
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(runs / 2));
    return values[runs / 2];
  }

  /// What a predictor says beforehand, as likelihood ratios, which calibrated odds are.
  /// "two-valued": it says yes or no, and is right about 95 % of culprits and 85 % of the others.
  /// "graded": it gives a score, normal around 0 and further up for culprits, that would have these
  /// rates at its best threshold; "graded 93": 95 % and 93 %, as select's score has on Lua.
  std::vector<double> prior() {
    std::vector<double> weights(commits, 1.0);
    for (std::size_t i = 0; i < commits && scenario_.prior != "flat"; ++i)
      weights[i] = scenario_.prior == "two-valued" ? two_valued(i + 1)
                                                   : graded(i + 1, scenario_.prior == "graded");
    return weights;
  }

  std::size_t culprit() const { return culprit_; }
  std::size_t runs() const { return runs_; }
  const Scenario& scenario() const { return scenario_; }

  /// Whether it is right to name the commits after one position until another: it holds the
  /// culprit.
  char verdict(std::size_t after, std::size_t until) const {
    return culprit_ > after && culprit_ <= until ? 'r' : 'w';
  }
  /// The position before those that cannot be told apart from this one.
  std::size_t before(std::size_t position) const {
    do
      --position;
    while (!builds_[position]);
    return position;
  }

private:
  double normal() { return std::normal_distribution<double>()(random_); }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }
  double graded(std::size_t position, bool modest) {
    const double shift = 1.645 + (modest ? 1.036 : 1.476); // of 95 %, and of 85 or 93 %
    const double score = normal() + (position == culprit_ ? shift : 0);
    return std::exp(shift * (score - (shift / 2)));
  }
  double two_valued(std::size_t position) {
    const bool suspected = chance(position == culprit_ ? 0.95 : 0.15);
    return suspected ? 0.95 / 0.15 : 0.05 / 0.85;
  }

  Scenario scenario_;
  Random random_;
  Machine machine_;
  std::size_t culprit_;
  std::vector<double> levels_;
  std::vector<bool> builds_;
  std::size_t runs_ = 0;
};

/// One round as the search wants it, in the order of its coins.
inline bisect::Round measure_round(World& world, const bisect::Step& step, std::uint64_t seed,
                                   std::size_t number) {
  bisect::Round round;
  round.candidate = step.candidate;
  for (const bisect::Place place : bisect::order_of_round(seed, number)) {
    if (place == bisect::Place::Good)
      round.good = world.measure(0);
    else if (place == bisect::Place::Bad)
      round.bad = world.measure(World::commits);
    else if (step.candidate)
      round.value = world.measure(*step.candidate);
  }
  return round;
}

inline Found search_ours(World& world, std::uint64_t seed) {
  bisect::Search search(world.prior(), bisect::Rule{});
  std::size_t number = 0;
  for (bisect::Step step = search.next(); step.rounds > 0; step = search.next()) {
    if (step.candidate && !world.builds(*step.candidate)) {
      search.cannot_build(*step.candidate);
      continue;
    }
    for (std::size_t i = 0; i < step.rounds; ++i)
      search.observe(measure_round(world, step, seed, number++));
  }
  const bisect::Answer answer = search.answer();
  Found found;
  if (answer.named) {
    found.verdict = world.verdict(answer.named->first - 1, answer.named->last);
    found.stated = answer.named->probability;
  }
  const double step = world.scenario().step;
  found.covered = answer.interval.low <= step && step <= answer.interval.high;
  found.builds = 2 + answer.tried;
  found.runs = world.runs();
  return found;
}

/// Bisection by a threshold halfway between one measurement of each end, one measurement a commit.
/// A commit that does not build is skipped: the nearest to it that builds is taken.
inline Found search_by_threshold(World& world) {
  const double threshold = (world.measure(0) + world.measure(World::commits)) / 2;
  std::size_t low = 0;
  std::size_t high = World::commits;
  std::vector<bool> tried(World::commits + 1, false);
  Found found;
  found.builds = 2;
  const auto pick = [&]() -> std::optional<std::size_t> {
    const std::size_t middle = (low + high) / 2;
    for (std::size_t away = 0; away <= high - low; ++away)
      for (const std::size_t position : {middle - std::min(away, middle), middle + away})
        if (position > low && position < high && !tried[position])
          return position;
    return std::nullopt;
  };
  while (const auto position = pick()) {
    tried[*position] = true;
    ++found.builds;
    if (!world.builds(*position))
      continue;
    (world.measure(*position) > threshold ? high : low) = *position;
  }
  found.verdict = world.verdict(low, high);
  found.runs = world.runs();
  return found;
}

/// The rule of `asv find`: with one kept result for each commit (a median of so many runs), go into
/// the half across which the result rises more; the first half if both rise equally. Of commits
/// that do not build, it moves the first and the middle one forwards and the last one backwards.
inline Found search_by_rise(World& world, std::size_t runs) {
  std::vector<double> results(World::commits + 1, 0); // 0: not tried; below: does not build
  Found found;
  const auto result = [&](std::size_t position) {
    if (results[position] == 0) {
      ++found.builds;
      results[position] = world.builds(position) ? world.median_of(position, runs) : -1;
    }
    return results[position];
  };
  std::size_t low = 0;
  std::size_t high = World::commits;
  while (high - low > 1) {
    std::size_t middle = (low + high) / 2;
    while (middle < high && result(middle) < 0)
      ++middle;
    if (middle == high) // asv gives up here
      return found.runs = world.runs(), found;
    if (result(middle) - result(low) >= result(high) - result(middle))
      high = middle;
    else
      low = middle;
  }
  found.verdict = world.verdict(world.before(high), high);
  found.runs = world.runs();
  return found;
}

} // namespace dragnet::eval
