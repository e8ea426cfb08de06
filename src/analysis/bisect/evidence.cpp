#include "analysis/bisect/evidence.h"

#include "analysis/bisect/grid.h"
#include "base/ensure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::bisect {
namespace {

using Shares = std::array<double, level_count>;

// Of the odd commits, how many stray from their level by a quarter of the step, a half, three
// quarters, and all of it.
constexpr Shares straying = {0, 0.84, 0.08, 0.04, 0.04};

// How many commits are how many quarters of the step away from their level: those that the layout
// of the program moves, normally, and the odd ones.
Shares shares_away(const Strayness& strayness, double step) {
  // Three builds are compared: the candidate with the middle of the ends.
  const double deviation = std::sqrt(1.5) * strayness.layout / std::max(std::abs(step), 1e-9);
  Shares shares{};
  double sum = 0;
  for (std::size_t away = 0; away < level_count; ++away) {
    const double distance = 0.25 * static_cast<double>(away);
    shares[away] = away == 0       ? 1
                   : deviation > 0 ? std::exp(-distance * distance / (2 * deviation * deviation))
                                   : 0;
    sum += shares[away];
  }
  for (std::size_t away = 0; away < level_count; ++away)
    shares[away] = ((1 - strayness.odd) * shares[away] / sum) + (strayness.odd * straying[away]);
  return shares;
}

// How a commit with a level looks: 0 good, 1 between, 2 bad.
constexpr std::array<std::size_t, level_count> looks_like = {0, 0, 1, 2, 2};

// The grid is placed anew when there are so many times as many rounds as when it was placed: what
// they leave open shrinks, and a coarse grid would make it look settled.
constexpr double placing_ratio = 1.4;

// What the levels add to looking good, between and bad, of a commit that should be good (state 0)
// or bad (1).
using Parts = std::array<double, 3>;
Parts parts_of(const Shares& likely, const Shares& shares, std::size_t state) {
  Parts parts{};
  for (std::size_t level = 0; level < level_count; ++level) {
    const std::size_t away = state == 0 ? level : level_count - 1 - level;
    parts.at(looks_like.at(level)) += shares.at(away) * likely.at(level);
  }
  return parts;
}

// The step below which this share of the weight lies, linear between the points.
double quantile(const std::vector<std::pair<double, double>>& sorted, double share) {
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0,
                                       [](double sum, auto& item) { return sum + item.second; });
  double before = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double weight = sorted[i].second / total;
    if (before + weight >= share && weight > 0) {
      const double left = i > 0 ? sorted[i - 1].first : sorted[i].first;
      return std::lerp(left, sorted[i].first, (share - before) / weight);
    }
    before += weight;
  }
  return sorted.back().first;
}

} // namespace

struct Evidence::Weights {
  std::vector<std::vector<double>> of; // of[stretch][point], not normalised
};

void Evidence::add(const Contrast& ends) {
  ensure(!ends.rise, "a round of the ends alone has no candidate");
  add(0, ends);
}

void Evidence::add(std::size_t commit, const Contrast& round) {
  kept_.push_back({commit, round});
  steps_.push_back(round.step);
  if (commit > 0)
    levels_.try_emplace(commit);
  if (grid_)
    count_in(kept_.back());
}

void Evidence::count_in(const Kept& round) {
  if (!round.contrast.rise) {
    ends_.add(*grid_, round.contrast);
    return;
  }
  Levels& levels = levels_.at(round.commit);
  for (Likelihood& likelihood : levels.at)
    likelihood.add(*grid_, round.contrast);
  levels.stale = true;
}

void Evidence::place_grid() {
  if (grid_ && static_cast<double>(rounds()) < placing_ratio * static_cast<double>(placed_at_))
    return;
  std::vector<Contrast> contrasts;
  contrasts.reserve(kept_.size());
  for (const Kept& round : kept_)
    contrasts.push_back(round.contrast);
  grid_ =
      std::make_unique<Grid>(favoured_.empty() ? first_areas(contrasts) : grid_->around(favoured_));
  shares_.clear();
  for (std::size_t point = 0; point < Grid::points; ++point)
    shares_.push_back(shares_away(strayness_, grid_->step(point)));
  placed_at_ = rounds();
  ends_ = Likelihood(std::nullopt);
  for (auto& [commit, levels] : levels_)
    levels = Levels();
  for (const Kept& round : kept_)
    count_in(round);
}

// However often one measures a commit, it can speak for or against a culprit only so loudly,
// because it may be off its level.
void Evidence::mix(Levels& levels) const {
  std::array<std::vector<double>, level_count> at;
  for (std::size_t level = 0; level < level_count; ++level)
    at[level] = levels.at[level].values(*grid_);
  for (std::size_t point = 0; point < Grid::points; ++point) {
    double most = at[0][point];
    for (const auto& values : at)
      most = std::max(most, values[point]);
    Shares likely{};
    for (std::size_t level = 0; level < level_count; ++level)
      likely[level] = std::exp(at[level][point] - most);
    for (std::size_t state = 0; state < 2; ++state) {
      const Parts parts = parts_of(likely, shares_[point], state);
      const double sum = parts[0] + parts[1] + parts[2];
      levels.mixed[state][point] = most + std::log(sum);
      for (std::size_t look = 0; look < parts.size(); ++look)
        levels.parts[state][look][point] = parts[look] / sum;
    }
  }
  levels.stale = false;
}

Evidence::Weights Evidence::weights(const Prior& prior, std::size_t last_commit) const {
  std::vector<double> sums = ends_.values(*grid_);
  for (std::size_t point = 0; point < Grid::points; ++point)
    sums[point] += grid_->log_prior(point);
  for (const auto& [commit, levels] : levels_)
    for (std::size_t point = 0; point < Grid::points; ++point)
      sums[point] += levels.mixed[1][point];
  Weights weights;
  std::size_t after = 0;
  const auto put = [&](std::size_t until) {
    const double log_prior = std::log(std::max(prior(after, until), 1e-300));
    weights.of.push_back(sums);
    for (double& weight : weights.of.back())
      weight += log_prior;
    after = until;
  };
  for (const auto& [commit, levels] : levels_) {
    put(commit);
    for (std::size_t point = 0; point < Grid::points; ++point)
      sums[point] += levels.mixed[0][point] - levels.mixed[1][point];
  }
  put(last_commit);
  double most = weights.of[0][0];
  for (const auto& stretch : weights.of)
    most = std::max(most, *std::ranges::max_element(stretch));
  for (auto& stretch : weights.of)
    for (double& weight : stretch)
      weight = weight - most < -60 ? 0 : std::exp(weight - most);
  return weights;
}

// The weights of a culprit that is not after the commit, and of one that is, over the grid.
Look Evidence::look(const Levels& levels, const std::array<std::vector<double>, 2>& weights) {
  std::array<double, 3> chance{};
  for (std::size_t state = 0; state < 2; ++state)
    for (std::size_t look = 0; look < chance.size(); ++look)
      chance[look] += std::inner_product(weights[state].begin(), weights[state].end(),
                                         levels.parts[state][look].begin(), 0.0);
  const double total = chance[0] + chance[1] + chance[2];
  return {.commit = 0,
          .good = chance[0] / total,
          .between = chance[1] / total,
          .bad = chance[2] / total};
}

void Evidence::describe_step(const std::vector<double>& totals, double confidence,
                             Beliefs& beliefs) const {
  std::vector<std::pair<double, double>> steps;
  double sum = 0;
  double information = 0;
  for (std::size_t point = 0; point < Grid::points; ++point) {
    const double step = grid_->step(point);
    const double tail = Grid::tail(point);
    steps.emplace_back(step, totals[point]);
    sum += totals[point];
    beliefs.step += totals[point] * step;
    information += totals[point] * step * step * std::exp(-2 * grid_->log_noise(point)) / 1.5 *
                   (tail + 1) / (tail + 3); // what a t says of its centre, next to a normal
  }
  beliefs.step /= sum;
  beliefs.separation = std::sqrt(information / sum);
  std::ranges::sort(steps);
  beliefs.step_interval = {quantile(steps, (1 - confidence) / 2),
                           quantile(steps, (1 + confidence) / 2)};
}

// After favoured_, which is the sum over all stretches.
std::vector<Look> Evidence::looks(const Weights& weights) const {
  std::vector<Look> looks;
  std::array<std::vector<double>, 2> sides = {favoured_, std::vector<double>(Grid::points, 0.0)};
  auto stretch = weights.of.begin();
  for (const auto& [commit, levels] : levels_) {
    for (std::size_t point = 0; point < Grid::points; ++point) {
      sides[0][point] -= (*stretch)[point];
      sides[1][point] += (*stretch)[point];
    }
    ++stretch;
    looks.push_back(look(levels, sides));
    looks.back().commit = commit;
  }
  return looks;
}

Beliefs Evidence::weigh(const Prior& prior, std::size_t last_commit, double confidence) {
  ensure(rounds() >= 2, "two rounds of the ends come before a search");
  // Told of a search that was under way, the first grid is too coarse for what is known already.
  constexpr std::size_t refinements = 6;
  const bool resumed = !grid_ && !levels_.empty();
  for (std::size_t i = 0; resumed && i < refinements; ++i) {
    (void)weigh_once(prior, last_commit, confidence);
    placed_at_ = 0;
  }
  return weigh_once(prior, last_commit, confidence);
}

Beliefs Evidence::weigh_once(const Prior& prior, std::size_t last_commit, double confidence) {
  place_grid();
  for (auto& [commit, levels] : levels_)
    if (levels.stale)
      mix(levels);
  const Weights all = weights(prior, last_commit);
  Beliefs beliefs;
  favoured_.assign(Grid::points, 0);
  for (const auto& stretch : all.of) {
    beliefs.stretches.push_back(std::accumulate(stretch.begin(), stretch.end(), 0.0));
    for (std::size_t point = 0; point < Grid::points; ++point)
      favoured_[point] += stretch[point];
  }
  const double total = std::accumulate(favoured_.begin(), favoured_.end(), 0.0);
  for (double& probability : beliefs.stretches)
    probability /= total;
  beliefs.looks = looks(all);
  describe_step(favoured_, confidence, beliefs);
  return beliefs;
}

} // namespace dragnet::bisect
