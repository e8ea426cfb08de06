#include "analysis/variants/pursuit.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/attribution.h"
#include "analysis/variants/notebook.h"
#include "analysis/variants/segments.h"
#include "base/result.h"
#include "model/configuration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr std::size_t most_repeats = 40; // of one question
constexpr double sure_of_side = 5;       // nats, for a commit between two levels
constexpr double clear_strength = 4;     // deviations of one measurement that a step spans
constexpr double off_both = 4.5;         // deviations from both levels: a third one
constexpr std::size_t most_read = 2;     // recorded commits on each side, for one test
constexpr std::size_t within_reach = 5;  // commits that may stand for a recorded one
constexpr int most_stray = 4;            // commits that a bisection may mistake for the change

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

bool nearer(double value, double one, double other) {
  return std::abs(value - one) < std::abs(value - other);
}

// The middle one of three single commits.
Segment middle_of(std::span<const Segment> levels) {
  std::array<Segment, 3> three = {levels[0], levels[1], levels[2]};
  std::ranges::sort(three, {}, &Segment::mean);
  Segment middle = three[1];
  middle.cells = three.size();
  middle.first = std::min(levels[0].first, levels[2].first);
  middle.last = std::max(levels[0].last, levels[2].last);
  return middle;
}

// Of the levels on one side of a change, from the nearest on, the one to believe in recorded data:
// a single commit that is off is no level if others beside it are at one.
Segment steady(std::span<const Segment> levels) {
  const Segment& nearest = levels.front();
  const auto in_reach = [&](const Segment& level) {
    return std::max(level.first, nearest.first) - std::min(level.last, nearest.last) <=
           within_reach;
  };
  if (nearest.cells > 1 || levels.size() < 2 || !in_reach(levels[1]))
    return nearest;
  if (levels[1].cells > 1)
    return levels[1];
  return levels.size() > 2 && in_reach(levels[2]) ? middle_of(levels) : nearest;
}

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

// Whether another change of the same commit hides this one where both show. In recorded data, what
// goes the same way at the same commit may well be one change in different measure.
bool Pursuit::is_apart(const Found& found, const Found& other) const {
  return same_commit(found, other) &&
         (tools_.notebook.repeats() || (found.size > 0) != (other.size > 0));
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
  std::vector<Segment> before =
      segments({cells.lower_bound(from), behind_left}, tools_.noise, cost);
  std::vector<Segment> behind = segments({right, cells.lower_bound(until)}, tools_.noise, cost);
  if (tools_.notebook.repeats())
    return Sides{before.back(), behind.front()};
  std::ranges::reverse(before);
  return Sides{steady(before), steady(behind)};
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

void Pursuit::show_best(Found& found) const {
  for (std::size_t witness = tools_.notebook.size(); witness != found.witness;) {
    witness = found.witness;
    for (std::size_t number = 0; number < tools_.notebook.size(); ++number)
      if (found.affects(tools_.notebook.configuration(number)))
        show_in(found, number);
    weigh(found);
  }
}

Result<bool> Pursuit::again(std::size_t number, std::size_t commit, Away away) {
  if (tools_.notebook.repeats())
    return tools_.notebook.measure(number, commit);
  for (std::size_t distance = 0; distance < most_read; ++distance) {
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

Result<bool> Pursuit::locate(Found& found) {
  bool located = TRY(bisect(found));
  for (int i = 0; i < most_stray && located && TRY(step_over_stray(found)); ++i)
    located = TRY(bisect(found));
  return located;
}

// A recorded commit that is off by itself may look like the change. Where the next one is like
// those on the other side, the change lies beyond it.
Result<bool> Pursuit::step_over_stray(Found& found) {
  const std::optional<Sides> levels = sides(found, found.witness);
  if (tools_.notebook.repeats() || !levels)
    return false;
  if (found.commit + 1 < tools_.notebook.commits())
    TRY(tools_.notebook.measure(found.witness, found.commit + 1));
  if (found.after > 0)
    TRY(tools_.notebook.measure(found.witness, found.after - 1));
  const bool moved =
      move_behind(found, levels->left.mean) || move_before(found, levels->right.mean);
  if (moved)
    refresh(found);
  return moved;
}

bool Pursuit::move_behind(Found& found, double left) const {
  const Cells& cells = tools_.notebook.cells(found.witness);
  const auto next = cells.upper_bound(found.commit);
  if (next == cells.end() || next->first > found.commit + within_reach ||
      std::next(next) == cells.end() ||
      !nearer(next->second.mean(), left, std::next(next)->second.mean()))
    return false;
  found.after = next->first;
  found.commit = std::next(next)->first;
  return true;
}

bool Pursuit::move_before(Found& found, double right) const {
  const Cells& cells = tools_.notebook.cells(found.witness);
  const auto at = cells.lower_bound(found.after);
  if (at == cells.begin() || std::prev(at) == cells.begin())
    return false;
  const auto next = std::prev(at);
  if (next->first + within_reach < found.after ||
      !nearer(next->second.mean(), right, std::prev(next)->second.mean()))
    return false;
  found.commit = next->first;
  found.after = std::prev(next)->first;
  return true;
}

// Where a level lies between, it follows the larger of two steps.
Result<bool> Pursuit::bisect(Found& found) {
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
