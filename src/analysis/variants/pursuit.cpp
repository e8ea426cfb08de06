#include "analysis/variants/pursuit.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/attribution.h"
#include "analysis/variants/notebook.h"
#include "analysis/variants/segments.h"
#include "base/result.h"
#include "model/configuration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr std::size_t most_repeats = 40; // of one question
constexpr double sure_of_side = 5;       // nats, for a commit between two levels
constexpr double clear_strength = 4;     // deviations of one measurement that a step spans
constexpr double off_both = 4.5;         // deviations from both levels: a third one

// On which of two levels a cell lies.
struct Doubt {
  double odds = 0;    // nats
  double nearest = 0; // distance from the nearer level, in deviations
  bool left = true;   // which is the nearer one

  Doubt() = default;
  Doubt(const CellSums& cell, const Sides& levels, const Noise& noise) {
    const double size = std::max(std::abs(levels.left.mean), std::abs(levels.right.mean));
    const double own = noise.variance(size, cell.count);
    const double to_left = std::pow(cell.mean() - levels.left.mean, 2) /
                           (own + noise.variance(size, levels.left.count));
    const double to_right = std::pow(cell.mean() - levels.right.mean, 2) /
                            (own + noise.variance(size, levels.right.count));
    odds = std::abs(to_left - to_right) / 2;
    nearest = std::sqrt(std::min(to_left, to_right));
    left = to_left < to_right;
  }
};

} // namespace

bool Found::affects(const Configuration& configuration) const {
  if (hypotheses.empty())
    return false;
  const Configuration literals = literals_of(configuration);
  return std::ranges::all_of(hypotheses.front().literals,
                             [&](std::size_t literal) { return literals.on(literal); });
}

bool Pursuit::same_commit(const Found& found, const Found& other) {
  return &found != &other && other.commit > found.after && found.commit > other.after;
}

std::optional<Sides> Pursuit::sides(const Found& found, std::size_t number) const {
  const Cells& cells = tools_.notebook.cells(number);
  const auto right = cells.lower_bound(found.commit);
  const auto behind_left = cells.upper_bound(found.after);
  if (behind_left == cells.begin() || right == cells.end())
    return std::nullopt;
  const std::size_t left_commit = std::prev(behind_left)->first;
  std::size_t from = 0;
  std::size_t until = tools_.notebook.commits();
  for (const Found& other : others_) {
    if (&other == &found || same_commit(found, other) ||
        !other.affects(tools_.notebook.configuration(number)))
      continue;
    if (other.commit > left_commit && other.commit <= right->first)
      return std::nullopt;
    if (other.commit <= left_commit)
      from = std::max(from, other.commit);
    else
      until = std::min(until, other.commit);
  }
  const double cost = tools_.rule.suspicion;
  return Sides{segments({cells.lower_bound(from), behind_left}, tools_.noise, cost).back(),
               segments({right, cells.lower_bound(until)}, tools_.noise, cost).front()};
}

double Pursuit::strength(const Found& found) const {
  const double level = tools_.notebook.level(found.witness);
  return std::abs(found.size) / std::max(tools_.noise.relative * level, 1e-300);
}

// The step as the witness shows it by now.
void Pursuit::refresh(Found& found) const {
  const std::optional<Sides> shown = sides(found, found.witness);
  if (!shown)
    return;
  found.size = shown->step();
  found.relative = found.size / std::max(std::abs(shown->left.mean), 1e-300);
  found.deviation = std::sqrt(tools_.noise.variance(shown->left.mean, shown->left.count) +
                              tools_.noise.variance(shown->right.mean, shown->right.count));
}

void Pursuit::show_in(Found& found, std::size_t number) const {
  Found other = found;
  other.witness = number;
  refresh(other);
  const bool evident = std::abs(other.size) >= tools_.rule.evidence * other.deviation;
  if (evident && (other.size > 0) == (found.size > 0) &&
      std::abs(other.relative) > std::abs(found.relative))
    found = other;
}

Result<bool> Pursuit::again(std::size_t number, std::size_t commit, Away away) {
  if (tools_.notebook.repeats())
    return tools_.notebook.measure(number, commit);
  for (std::size_t distance = 0; distance < 5; ++distance) {
    if (away == Away::Before ? distance > commit : commit + distance >= tools_.notebook.commits())
      return false;
    const std::size_t at = away == Away::Before ? commit - distance : commit + distance;
    if (TRY(tools_.notebook.measure(number, at)))
      return true;
  }
  return false;
}

// A single recorded commit may be off.
bool Pursuit::is_alone(const Sides& shown, bool repeats) {
  return !repeats && std::min(shown.left.cells, shown.right.cells) < 2;
}

// The side that is known worse, or else the other.
Result<bool> Pursuit::again_on_either(std::size_t number, const Sides& shown, const Found& step) {
  const bool left = shown.left.count <= shown.right.count;
  auto measured =
      left ? again(number, step.after, Away::Before) : again(number, step.commit, Away::Behind);
  if (!measured || *measured)
    return measured;
  return left ? again(number, step.commit, Away::Behind) : again(number, step.after, Away::Before);
}

Result<bool> Pursuit::confirm(std::size_t number, std::size_t low, std::size_t high) {
  const Found step{.witness = number, .after = low, .commit = high, .hypotheses = {}};
  for (std::size_t i = 0; i < most_repeats; ++i) {
    const std::optional<Sides> shown = sides(step, number);
    if (!shown)
      return true; // what else lies between has its own evidence
    const double size = std::abs(deviations_between(shown->left, shown->right, tools_.noise));
    if (size < tools_.rule.suspicion - 1)
      return false;
    if (size >= tools_.rule.evidence && !is_alone(*shown, tools_.notebook.repeats()))
      return true;
    if (!TRY(again_on_either(number, *shown, step)))
      return false;
  }
  return false;
}

// Of a commit between two levels and these, the one that was measured least often.
std::size_t Pursuit::known_worst(const Found& found, const Sides& levels,
                                 std::size_t commit) const {
  const Cells& cells = tools_.notebook.cells(found.witness);
  const auto cell = cells.find(commit);
  const double count = cell == cells.end() ? 0 : cell->second.count;
  if (levels.left.count < count)
    return found.after;
  return levels.right.count < count ? found.commit : commit;
}

// Measures a commit between two levels, and these where they are known worse, until it is clear to
// which it belongs.
Result<Pursuit::Level> Pursuit::decide(Found& found, std::size_t commit) {
  Doubt doubt;
  for (std::size_t i = 0; i < most_repeats; ++i) {
    const Cells& cells = tools_.notebook.cells(found.witness);
    const std::optional<Sides> levels = sides(found, found.witness);
    if (!levels ||
        !TRY(tools_.notebook.measure(found.witness, known_worst(found, *levels, commit))))
      break;
    doubt = cells.contains(commit) ? Doubt(cells.at(commit), *levels, tools_.noise) : Doubt();
    if (doubt.odds >= sure_of_side || doubt.nearest > off_both || !tools_.notebook.repeats())
      break;
  }
  if (!tools_.notebook.cells(found.witness).contains(commit))
    return Level::Unknown;
  found.commit_probability *= 1 / (1 + std::exp(-doubt.odds));
  if (doubt.nearest > off_both)
    return Level::Third;
  return doubt.left ? Level::Left : Level::Right;
}

// Bisection; where a level lies between, it follows the larger of two steps.
Result<bool> Pursuit::locate(Found& found) {
  while (const auto middle = tools_.notebook.between(found.witness, found.after, found.commit)) {
    const std::optional<Sides> levels = sides(found, found.witness);
    if (!levels || tools_.notebook.spent() || tools_.notebook.refused(found.witness))
      return levels.has_value();
    const Level level = TRY(decide(found, *middle));
    if (level == Level::Unknown)
      continue; // it does not build: another one is in the middle now
    const double value = tools_.notebook.cells(found.witness).at(*middle).mean();
    const bool first_is_larger =
        std::abs(value - levels->left.mean) > std::abs(value - levels->right.mean);
    const bool in_first_half = level == Level::Right || (level == Level::Third && first_is_larger);
    (in_first_half ? found.commit : found.after) = *middle;
    refresh(found);
  }
  return true;
}

Result<std::optional<Found>> Pursuit::pursue(std::size_t number, std::size_t low,
                                             std::size_t high) {
  Found found{.witness = number, .after = low, .commit = high, .hypotheses = {}};
  refresh(found);
  if (strength(found) < clear_strength)
    TRY(attribute(found, true));
  if (!TRY(locate(found)))
    return std::optional<Found>();
  TRY(attribute(found, false));
  TRY(enlarge(found));
  return std::optional(found);
}

} // namespace dragnet::variants
