#include "analysis/variants/survey.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/notebook.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/segments.h"
#include "model/configuration.h"
#include "model/variant_lab.h"
#include "stats/distributions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr std::size_t imagined_changes = 300;
constexpr double undone_share = 0.2;
constexpr double smallest_change = 0.03; // imagined, where the threshold is lower
constexpr double largest_change = 2;
constexpr std::size_t random_candidates = 40;
constexpr std::size_t most_pairs = 300;
constexpr std::size_t made_for_open = 12;
constexpr double least_value = 0.02;          // imagined changes, of hundreds
constexpr double golden = 0.6180339887498949; // shifts by it never meet again soon

// What could be looked at.
struct Plan {
  std::size_t candidate = 0;
  std::size_t positions = 0;
  double value = 0;
};

// How many options a change has to do with, as in the prior of the attribution.
std::size_t draw_size(Random& random, std::size_t most) {
  constexpr std::array<double, 6> upto = {0.10, 0.70, 0.86, 0.93, 0.97, 1};
  const double at = unit(random);
  const auto size = static_cast<std::size_t>(std::ranges::upper_bound(upto, at) - upto.begin());
  return std::min({size, most, std::size_t{5}});
}

} // namespace

Survey::Survey(Notebook& notebook, ValidConfigurations& space, LearnRule rule, Random& random)
    : notebook_(notebook), space_(space), rule_(std::move(rule)), random_(random) {
  imagine();
  collect();
}

void Survey::imagine() {
  const std::size_t options = space_.options();
  const double smallest = std::max(rule_.threshold, smallest_change);
  for (std::size_t i = 0; i < 3 * imagined_changes && imagined_.size() < imagined_changes; ++i) {
    Imagined change;
    const std::size_t size = draw_size(random_, std::min(options, rule_.most_interacting));
    change.on = with_random_on(options, size, random_);
    const auto valid = space_.near(Configuration(options), literals_of(change));
    if (!valid)
      continue;
    const std::size_t commits = notebook_.commits();
    change.smallest = static_cast<double>(valid->count());
    change.commit = 1 + below(random_, commits - 1);
    change.undone = unit(random_) < undone_share
                        ? change.commit + 1 + below(random_, commits - change.commit)
                        : commits;
    change.change = smallest * std::pow(largest_change / smallest, unit(random_));
    imagined_.push_back(change);
  }
}

std::vector<Literal> Survey::literals_of(const Imagined& change) const {
  std::vector<Literal> literals;
  for (std::size_t option = 0; option < space_.options(); ++option)
    if (change.on.on(option))
      literals.push_back({option, true});
  return literals;
}

// What the program turns out to refuse cannot change.
void Survey::forget_impossible() {
  if (notebook_.refusals() == refusals_)
    return;
  refusals_ = notebook_.refusals();
  std::erase_if(imagined_, [&](const Imagined& change) {
    return !space_.near(Configuration(space_.options()), literals_of(change));
  });
  candidates_.clear();
  shows_.clear();
  collect();
}

void Survey::add(std::optional<Configuration> configuration) {
  if (!configuration || std::ranges::find(candidates_, *configuration) != candidates_.end())
    return;
  std::vector<bool> shows;
  shows.reserve(imagined_.size());
  for (const Imagined& change : imagined_)
    shows.push_back(configuration->includes(change.on));
  shows_.push_back(std::move(shows));
  candidates_.push_back(*std::move(configuration));
}

// From the largest to the smallest, and mixtures.
void Survey::collect() {
  const std::size_t options = space_.options();
  const Configuration all(options, true);
  add(space_.near(all, {}));
  add(space_.near(Configuration(options), {}));
  for (std::size_t option = 0; option < options; ++option) {
    const std::vector<Literal> fixed = {{option, true}};
    add(space_.near(Configuration(options), fixed));
    add(space_.near(all, fixed));
  }
  for (Configuration& configuration : distance_based(space_, random_candidates, random_))
    add(std::move(configuration));
  if (options * options / 2 <= most_pairs)
    for (Configuration& configuration : pair_wise(space_))
      add(std::move(configuration));
  lasting_ = candidates_.size();
}

// Configurations that have the options of one or some changes that could have been missed.
void Survey::collect_open() {
  candidates_.resize(lasting_);
  shows_.resize(lasting_);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < imagined_.size(); ++i)
    if (open_[i] > 0.3)
      open.push_back(i);
  for (const std::size_t together : {1U, 1U, 2U, 4U, 8U})
    for (std::size_t i = 0; i < made_for_open && !open.empty(); ++i) {
      Configuration wanted(space_.options());
      for (std::size_t j = 0; j < together; ++j) {
        const Configuration& on = imagined_[open[below(random_, open.size())]].on;
        for (std::size_t option = 0; option < on.size(); ++option)
          wanted.set(option, wanted.on(option) || on.on(option));
      }
      add(space_.near(wanted, {}));
    }
}

double Survey::Levels::of(double on) const {
  return std::max(none + (each * on), 0.02 * std::abs(none));
}

// A line through the levels of what was measured.
Survey::Levels Survey::levels() const {
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (std::size_t number = 0; number < notebook_.size(); ++number) {
    if (notebook_.cells(number).empty())
      continue;
    const auto on = static_cast<double>(notebook_.configuration(number).count());
    const double level = notebook_.level(number);
    n += 1;
    x += on;
    y += level;
    xx += on * on;
    xy += on * level;
  }
  const double spread = (n * xx) - (x * x);
  Levels result;
  if (n > 0 && spread > 0)
    result.each = std::max(0.0, ((n * xy) - (x * y)) / spread);
  if (n > 0)
    result.none = std::max((y - (result.each * x)) / n, 0.02 * y / n);
  return result;
}

// As a step between all measurements that the change lies on and all others.
double Survey::seen(const Imagined& change, const Counts& counts, double level,
                    const Noise& noise) const {
  const double before = counts.all - counts.behind;
  if (counts.behind < 1 || before < 1 || level <= 0)
    return 0;
  const double step = change.change * levels_.of(change.smallest);
  const double deviations =
      step / (noise.relative * level) * std::sqrt(counts.behind * before / counts.all);
  // One that is undone takes two more levels.
  const double needed = counts.undone ? rule_.suspicion * std::numbers::sqrt2 : rule_.suspicion;
  return stats::normal_cdf(deviations - needed); // what is suspected is repeated
}

Survey::Part Survey::part_around(const std::set<std::size_t>& known, std::size_t commit) const {
  // Two changes at one commit show as one.
  const auto before = known.lower_bound(commit);
  const auto behind = known.upper_bound(commit);
  return {before == known.begin() ? 0 : *std::prev(before),
          behind == known.end() ? notebook_.commits() : *behind};
}

Survey::Counts Survey::counted(std::size_t number, const Part& part, const Imagined& change) const {
  Counts counts;
  const Cells& cells = notebook_.cells(number);
  const auto end = cells.lower_bound(part.end);
  for (auto cell = cells.lower_bound(part.begin); cell != end; ++cell) {
    const bool lies_on = cell->first >= change.commit && cell->first < change.undone;
    counts.all += cell->second.count;
    counts.behind += lies_on ? cell->second.count : 0;
    counts.undone = counts.undone || cell->first >= change.undone;
  }
  return counts;
}

std::vector<double> Survey::seen_in(std::size_t number, const Noise& noise) const {
  std::vector<double> all(imagined_.size(), 0);
  if (notebook_.cells(number).empty())
    return all;
  const double level = notebook_.level(number);
  const std::set<std::size_t> known = known_(notebook_.configuration(number));
  for (std::size_t i = 0; i < imagined_.size(); ++i)
    if (notebook_.configuration(number).includes(imagined_[i].on)) {
      const Part part = part_around(known, imagined_[i].commit);
      all[i] = seen(imagined_[i], counted(number, part, imagined_[i]), level, noise);
    }
  return all;
}

double Survey::missed(const Noise& noise) {
  forget_impossible();
  levels_ = levels();
  open_.assign(imagined_.size(), 1);
  for (std::size_t number = 0; number < notebook_.size(); ++number) {
    const std::vector<double> shown = seen_in(number, noise);
    for (std::size_t i = 0; i < open_.size(); ++i)
      open_[i] *= 1 - shown[i];
  }
  double sum = 0;
  for (const double open : open_)
    sum += open;
  return open_.empty() ? 0 : sum / static_cast<double>(open_.size());
}

// How many imagined changes would be seen that were not, if it is measured at so many commits.
double Survey::gain(std::size_t candidate, std::size_t positions, const Noise& noise) const {
  const Configuration& configuration = candidates_[candidate];
  const std::size_t number = numbers_[candidate];
  const bool measured = number < notebook_.size() && !notebook_.cells(number).empty();
  const double level =
      measured ? notebook_.level(number) : levels_.of(static_cast<double>(configuration.count()));
  const auto commits = static_cast<double>(notebook_.commits());
  const std::set<std::size_t> known = known_(configuration);
  double sum = 0;
  for (std::size_t i = 0; i < imagined_.size(); ++i) {
    const Imagined& change = imagined_[i];
    if (!shows_[candidate][i] || open_[i] < 1e-3)
      continue;
    const Part part = part_around(known, change.commit);
    Counts counts = measured ? counted(number, part, change) : Counts{};
    const double before = measured ? seen(change, counts, level, noise) : 0;
    const double density = static_cast<double>(positions) / commits;
    const std::size_t last = std::min(change.undone, part.end);
    counts.all += density * static_cast<double>(part.end - part.begin);
    counts.behind += density * static_cast<double>(last - change.commit);
    counts.undone = counts.undone || last < part.end;
    const double hit = std::min({1.0, counts.behind, counts.all - counts.behind});
    counts.behind = std::clamp(counts.behind, 1.0, std::max(1.0, counts.all - 1));
    sum += open_[i] * std::max(0.0, (hit * seen(change, counts, level, noise)) - before);
  }
  return sum;
}

std::optional<Look> Survey::next(const Noise& noise) {
  missed(noise);
  collect_open();
  numbers_.clear();
  for (const Configuration& candidate : candidates_)
    numbers_.push_back(notebook_.find(candidate).value_or(notebook_.size()));
  Plan best{.value = least_value};
  for (std::size_t candidate = 0; candidate < candidates_.size(); ++candidate) {
    if (numbers_[candidate] < notebook_.size() && notebook_.refused(numbers_[candidate]))
      continue;
    for (const std::size_t times : {1U, 2U, 4U}) {
      if (times > 1 && !notebook_.repeats())
        break;
      const std::size_t positions = rule_.positions * times;
      const double value = gain(candidate, positions, noise) / static_cast<double>(times);
      if (value > best.value)
        best = {candidate, positions, value};
    }
  }
  if (best.positions == 0)
    return std::nullopt;
  const bool first = numbers_[best.candidate] >= notebook_.size();
  return Look{candidates_[best.candidate], spread(best.positions, first)};
}

std::vector<std::size_t> Survey::spread(std::size_t positions, bool first) {
  const std::size_t commits = notebook_.commits();
  const std::size_t ends = first ? 2 : 0;
  const std::size_t inner =
      std::min(std::max(positions, ends) - ends, commits - std::min(commits, ends));
  std::vector<std::size_t> chosen;
  if (first)
    chosen = {0, commits - 1};
  const double gap =
      static_cast<double>(commits) / static_cast<double>(std::max<std::size_t>(1, inner));
  for (std::size_t i = 0; i < inner; ++i)
    chosen.push_back(static_cast<std::size_t>((static_cast<double>(i) + shift_) * gap));
  shift_ = std::fmod(shift_ + golden, 1);
  return chosen;
}

} // namespace dragnet::variants
