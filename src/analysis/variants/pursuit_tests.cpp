// How a pursuit finds the condition of a change: by tests of configurations that are probable to
// tell most.

#include "analysis/variants/answer.h"
#include "analysis/variants/attribution.h"
#include "analysis/variants/notebook.h"
#include "analysis/variants/pursuit.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/segments.h"
#include "base/result.h"
#include "model/configuration.h"
#include "stats/distributions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr double odd = 0.001;          // how often a configuration does what nobody expects
constexpr double often_undone = 0.5;   // of the changes, if the whole history lay between two cells
constexpr double most_telling = 8;     // nats
constexpr double most_trusted = 3;     // nats against a condition that is told
constexpr double clear = 3.5;          // nats that end a test
constexpr double sure = 0.985;         // of a condition
constexpr double rather_sure = 0.9;    // enough to locate the commit
constexpr std::size_t most_tests = 60; // for one change
constexpr std::size_t most_repeats = 16;
constexpr double least_information = 0.02; // bits that make a test worth while
constexpr double large_enough = 1.3;       // times the threshold: it is sure to matter
constexpr double stray = 0.05;             // recorded commits that are off by themselves
constexpr std::size_t most_lower = 4;      // configurations in which a change may be larger
constexpr double as_large = 0.7;           // part of a small change that makes another as large
constexpr double minor = 0.2;    // of the recorded configurations that a change hardly touches
constexpr double opposite = 0.1; // of the steps that go the other way in another configuration

double normal_density(double x, double variance) {
  return std::exp(-x * x / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

// The density of a difference if the step is anywhere between two sizes.
double between(double difference, double low, double high, double variance) {
  const double deviation = std::sqrt(variance);
  return (stats::normal_cdf((high - difference) / deviation) -
          stats::normal_cdf((low - difference) / deviation)) /
         (high - low);
}

// Each option that may matter, with a probability.
Configuration some_of(const Attribution& attribution, std::size_t options, double density,
                      Random& random) {
  Configuration some(options);
  for (const std::size_t literal : attribution.possible())
    if (literal < options && unit(random) < density)
      some.set(literal, true);
  return some;
}

double entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -(p * std::log2(p)) - ((1 - p) * std::log2(1 - p));
}

} // namespace

// How probable it is that another change lies between the cells on both sides of a change, one that
// undoes it above all: they may be far apart.
double Pursuit::between_cells(const Found& found, const Sides& shown) const {
  const bool known_between = std::ranges::any_of(others_, [&](const Found& other) {
    return &other != &found && !same_commit(found, other) && other.commit > shown.left.last &&
           other.commit <= shown.right.first;
  });
  if (known_between)
    return often_undone;
  const std::size_t cells = shown.right.first - shown.left.last;
  const std::size_t known = found.commit - found.after;
  return often_undone * static_cast<double>(cells - std::min(cells, known)) /
         static_cast<double>(tools_.notebook.commits());
}

// In another configuration the step may be as large as in the witness, or in proportion to the
// level: anything from half the smaller to twice the larger of both is as probable; more than that
// in recorded data, where no other configuration can be asked for.
std::optional<double> Pursuit::testimony(const Found& found, std::size_t number) const {
  const std::optional<Sides> shown = sides(found, number);
  if (!shown)
    return std::nullopt;
  const double variance = std::max(tools_.noise.variance(shown->left.mean, shown->left.count) +
                                       tools_.noise.variance(shown->right.mean, shown->right.count),
                                   1e-300);
  if (!tools_.notebook.repeats())
    return recorded_testimony(found, *shown, variance);
  const double same = std::abs(found.size);
  const double in_proportion = std::abs(found.relative * shown->left.mean);
  const double apart = 2;
  const double low = std::min(same, in_proportion) / apart;
  const double high = (apart * std::max(same, in_proportion)) + 1e-12;
  const double step = found.size < 0 ? -shown->step() : shown->step();
  const double changed = ((1 - opposite) * between(step, low, high, variance)) +
                         (opposite * between(-step, low, high, variance));
  const double unexpected = odd + between_cells(found, *shown);
  const double anything = unexpected / (2 * high);
  const double undone = unexpected * normal_density(step, variance);
  const double ratio =
      std::log((((1 - unexpected) * changed) + anything + undone) /
               (((1 - unexpected) * normal_density(step, variance)) + anything + undone));
  return std::clamp(ratio, -most_telling, most_telling);
}

// How a recorded configuration changes nobody can vary, and each does in its own measure. It
// belongs to a condition where its step reaches the threshold: one between that and four times the
// largest, all sizes as probable, against none or a smaller one.
double Pursuit::recorded_testimony(const Found& found, const Sides& shown, double variance) const {
  const double level = std::max(std::abs(shown.left.mean), 1e-300);
  const double step = (found.size < 0 ? -shown.step() : shown.step()) / level;
  const double relative = variance / level / level;
  const double least =
      std::max(std::min(tools_.rule.threshold, as_large * std::abs(found.relative)), 1e-9);
  const double octaves = std::max(1.0, std::ceil(std::log2(4 * std::abs(found.relative) / least)));
  double changed = 0;
  for (int octave = 0; octave < static_cast<int>(octaves); ++octave) {
    const double low = std::ldexp(least, octave);
    changed += (((1 - opposite) * between(step, low, 2 * low, relative)) +
                (opposite * between(-step, low, 2 * low, relative))) /
               octaves;
  }
  const double not_changed = ((1 - minor) * normal_density(step, relative)) +
                             (minor * between(step, -least, least, relative));
  const double alone = is_alone(shown, false) ? stray : 0;
  const double unexpected = odd + alone + between_cells(found, shown);
  const double ratio = std::log((((1 - unexpected) * changed) + (unexpected * not_changed)) /
                                (((1 - unexpected) * not_changed) + (unexpected * changed)));
  return std::clamp(ratio, -most_telling, most_telling);
}

std::vector<Testimony> Pursuit::testimonies(const Found& found) const {
  std::vector<Testimony> all;
  for (std::size_t number = 0; number < tools_.notebook.size(); ++number) {
    const Configuration& configuration = tools_.notebook.configuration(number);
    // Where another change of the same commit shows, nothing can be said about this one.
    if (std::ranges::any_of(others_, [&](const Found& other) {
          return is_apart(found, other) && other.affects(configuration);
        }))
      continue;
    if (const std::optional<double> ratio = testimony(found, number))
      all.push_back({literals_of(configuration), *ratio});
  }
  return all;
}

void Pursuit::weigh(Found& found) const {
  refresh(found);
  Random random(found.commit);
  found.hypotheses = Attribution(tools_.notebook.configuration(found.witness), testimonies(found),
                                 tools_.rule, random)
                         .hypotheses();
}

std::vector<Hypothesis> Pursuit::told(const Found& found) const {
  if (found.hypotheses.front().probability >= 0.5)
    return found.hypotheses;
  std::vector<Testimony> heard = testimonies(found);
  for (Testimony& one : heard)
    one.log_ratio = std::max(one.log_ratio, -most_trusted);
  Random random(found.commit);
  return Attribution(tools_.notebook.configuration(found.witness), heard, tools_.rule, random)
      .hypotheses();
}

// An option of each other change at the same commit must be off, or on, so that it does not show.
std::vector<Literal> Pursuit::apart_from_others(const Found& found) const {
  std::vector<Literal> fixed;
  const std::size_t options = tools_.space.options();
  const Configuration& witness = tools_.notebook.configuration(found.witness);
  for (const Found& other : others_) {
    if (!is_apart(found, other) || other.hypotheses.empty())
      continue;
    for (const std::size_t literal : other.hypotheses.front().literals)
      if (witness.on(literal % options) != (literal < options)) {
        fixed.push_back({literal % options, literal >= options});
        break;
      }
  }
  return fixed;
}

std::vector<Configuration> Pursuit::wishes(const Found& found, const Attribution& attribution) {
  const std::size_t options = tools_.space.options();
  const Configuration& witness = tools_.notebook.configuration(found.witness);
  std::vector<Configuration> wanted;
  for (const double density : {0.5, 0.65, 0.8, 0.9})
    for (std::size_t i = 0; i < 5; ++i)
      wanted.push_back(some_of(attribution, options, density, tools_.random));
  const Condition best = condition_of(attribution.best(), options);
  for (const bool rest : {false, true}) {
    Configuration with_best(options, rest);
    for (const std::size_t option : best.on)
      with_best.set(option, true);
    for (const std::size_t option : best.off)
      with_best.set(option, false);
    wanted.push_back(with_best);
    for (const std::size_t literal : attribution.best().literals) {
      Configuration without = rest ? witness : with_best;
      without.set(literal % options, !without.on(literal % options));
      wanted.push_back(without);
    }
  }
  return wanted;
}

bool Pursuit::decided(const Found& found, const Configuration& configuration) const {
  const std::optional<std::size_t> number = tools_.notebook.find(configuration);
  if (!number)
    return false;
  if (tools_.notebook.refused(*number))
    return true;
  const std::optional<double> ratio = testimony(found, *number);
  const Cells& cells = tools_.notebook.cells(*number);
  const bool known = cells.contains(found.after) && cells.contains(found.commit);
  return ratio && known && (std::abs(*ratio) >= clear || !tools_.notebook.repeats());
}

// In measurements: the larger the level, the more noise; it is guessed by how much is on.
double Pursuit::expected_cost(const Found& found, const Configuration& configuration) const {
  const auto on = [](const Configuration& c) { return static_cast<double>(c.count()) + 2; };
  const double clearer =
      strength(found) * on(tools_.notebook.configuration(found.witness)) / on(configuration);
  return 2 * std::max(1.0, std::pow(clear / std::max(clearer, 1e-6), 2));
}

std::optional<Configuration> Pursuit::best_test(const Found& found,
                                                const Attribution& attribution) {
  const std::vector<Literal> fixed = apart_from_others(found);
  std::optional<Configuration> best;
  double best_rate = 0;
  for (const Configuration& wanted : wishes(found, attribution)) {
    std::optional<Configuration> valid = tools_.space.near(wanted, fixed);
    if (!valid || decided(found, *valid))
      continue;
    const double information = entropy(attribution.affects(literals_of(*valid)));
    const double rate = information / expected_cost(found, *valid);
    if (information < least_information || rate <= best_rate)
      continue;
    best_rate = rate;
    best = std::move(valid);
  }
  return best;
}

// Measures both sides of the change until it is clear whether a configuration shows it; false where
// it cannot be measured.
Result<bool> Pursuit::test(const Found& found, const Configuration& configuration) {
  const std::size_t number = tools_.notebook.number_of(configuration);
  bool any = false;
  for (std::size_t i = 0; i < most_repeats; ++i) {
    const bool before = TRY(again(number, found.after, Away::Before));
    const bool behind = TRY(again(number, found.commit, Away::Behind));
    any = any || before || behind;
    const std::optional<double> ratio = testimony(found, number);
    if (!(before || behind) || !ratio || std::abs(*ratio) >= clear)
      break;
  }
  return any;
}

Result<> Pursuit::attribute(Found& found, bool roughly) {
  const std::size_t limit = tools_.notebook.measurements() + (tools_.rule.measurements / 8);
  // More than that is seldom to be had of recorded data.
  const double wanted = roughly || !tools_.notebook.repeats() ? rather_sure : sure;
  for (std::size_t i = 0; i < most_tests; ++i) {
    refresh(found);
    const Attribution attribution(tools_.notebook.configuration(found.witness), testimonies(found),
                                  tools_.rule, tools_.random);
    found.hypotheses = attribution.hypotheses();
    const double reached = attribution.best().probability;
    if (reached >= wanted || tools_.notebook.spent() || tools_.notebook.measurements() >= limit)
      break;
    const std::optional<Configuration> next = best_test(found, attribution);
    if (!next || !TRY(test(found, *next)))
      break;
    if (tools_.notebook.repeats())
      prefer(found, *next);
    else
      show_in(found, tools_.notebook.number_of(*next));
  }
  return success();
}

Result<> Pursuit::clarify(Found& found) {
  weigh(found);
  if (!tools_.notebook.repeats())
    TRY(look_lower(found));
  return found.hypotheses.front().probability < rather_sure ? attribute(found, false) : success();
}

// What shows the step more clearly is the better witness.
void Pursuit::prefer(Found& found, const Configuration& configuration) const {
  Found other = found;
  other.witness = tools_.notebook.number_of(configuration);
  refresh(other);
  if (testimony(found, other.witness).value_or(0) >= clear && strength(other) > strength(found))
    found = other;
}

// A recorded change that is too small to matter may be a larger part of what takes less.
Result<> Pursuit::look_lower(Found& found) {
  std::vector<std::size_t> order;
  for (std::size_t number = 0; number < tools_.notebook.size(); ++number)
    if (!tools_.notebook.cells(number).empty())
      order.push_back(number);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t number) { return tools_.notebook.level(number); });
  order.resize(std::min(order.size(), most_lower));
  for (const std::size_t number : order) {
    if (std::abs(found.relative) >= tools_.rule.threshold)
      break;
    const Configuration configuration = tools_.notebook.configuration(number);
    if (!decided(found, configuration))
      TRY(test(found, configuration));
    show_in(found, number);
  }
  return success();
}

// The smaller the configuration, the larger the part that a step is of it.
Result<> Pursuit::enlarge(Found& found) {
  if (!tools_.notebook.repeats())
    return look_lower(found);
  if (std::abs(found.relative) >= large_enough * tools_.rule.threshold || found.hypotheses.empty())
    return success();
  const std::size_t options = tools_.space.options();
  std::vector<Literal> fixed = apart_from_others(found);
  for (const std::size_t literal : found.hypotheses.front().literals)
    fixed.push_back({literal % options, literal < options});
  const auto smallest = tools_.space.near(Configuration(options), fixed);
  if (smallest && !decided(found, *smallest) && TRY(test(found, *smallest)))
    prefer(found, *smallest);
  return success();
}

} // namespace dragnet::variants
