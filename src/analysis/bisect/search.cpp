#include "analysis/bisect/search.h"

#include "analysis/bisect/evidence.h"
#include "analysis/bisect/gain.h"
#include "analysis/bisect/suspects.h"
#include "base/ensure.h"
#include "stats/interval.h"
#include "stats/order.h"
#include "stats/sequential.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dragnet::bisect {
namespace {

// What is said of the ends may be wrong in so many cases: a part of what the answer may be, because
// it comes first.
constexpr double ends_share = 0.2;

// Rounds to ask for at once: what is left to do shows after a part of them.
std::size_t batch(std::size_t rounds) {
  return std::max<std::size_t>(1, rounds / 4);
}

} // namespace

std::array<Place, 3> order_of_round(std::uint64_t seed, std::size_t round) {
  constexpr std::array<std::array<Place, 3>, 6> orders = {
      {{Place::Good, Place::Bad, Place::Candidate},
       {Place::Bad, Place::Good, Place::Candidate},
       {Place::Good, Place::Candidate, Place::Bad},
       {Place::Bad, Place::Candidate, Place::Good},
       {Place::Candidate, Place::Good, Place::Bad},
       {Place::Candidate, Place::Bad, Place::Good}}};
  constexpr std::size_t coins = 60; // for 20 attempts at a number below 6
  for (std::size_t coin = 0; coin < coins; coin += 3) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < 3; ++i)
      number = (2 * number) + (stats::new_first(seed, (round * coins) + coin + i) ? 1 : 0);
    if (number < orders.size())
      return orders.at(number);
  }
  return orders[0];
}

Search::Search(std::vector<double> prior, const Rule& rule)
    : rule_(rule), suspects_(prior), evidence_(rule.strayness) {}

void Search::observe(const Round& round) {
  const auto usable = [](double value) { return std::isfinite(value) && value > 0; };
  ensure(usable(round.good) && usable(round.bad), "values of a round are above 0");
  const double good = std::log(round.good);
  const double bad = std::log(round.bad);
  if (!round.candidate) {
    evidence_.add({.step = bad - good, .rise = std::nullopt});
  } else {
    ensure(usable(round.value), "values of a round are above 0");
    ensure(*round.candidate > 0 && *round.candidate < suspects_.last(),
           "a candidate lies between the ends");
    measured_.insert(*round.candidate);
    evidence_.add(*round.candidate,
                  {.step = bad - good, .rise = std::log(round.value) - ((good + bad) / 2)});
  }
  weighed_ = false;
  if (outcome_ == Outcome::EndsUnknown || outcome_ == Outcome::Searching)
    test_ends();
}

void Search::cannot_build(std::size_t position) {
  ensure(position > 0 && position < suspects_.last(), "a candidate lies between the ends");
  suspects_.cannot_build(position);
  weighed_ = false;
}

// Whether the ends are counts of which every round says the same.
bool Search::ends_repeat() const {
  constexpr double agreement = 1e-4;
  const auto [least, most] = std::ranges::minmax(evidence_.steps());
  return rule_.nature == Nature::Count && evidence_.rounds() >= 2 && most - least <= agreement;
}

// The ends come first: without a difference there is nobody to look for. The test may be looked at
// as often as one likes; it is looked at less often as it grows, to save time. If it was wrong, the
// rounds of the search show that, too.
void Search::test_ends() {
  const std::size_t rounds = evidence_.rounds();
  if (rounds < next_test_)
    return;
  next_test_ = rounds + std::max<std::size_t>(1, rounds / 16);
  const double error_rate = (1 - rule_.confidence) * ends_share;
  const double smallest = std::log1p(rule_.smallest_effect);
  if (outcome_ == Outcome::EndsUnknown && ends_repeat()) {
    const bool differ = std::abs(evidence_.steps().front()) >= smallest;
    ends_p_value_ = differ ? 0 : 1;
    outcome_ = differ ? Outcome::Searching : Outcome::EndsAlike;
    return;
  }
  const stats::SequentialTest test(evidence_.steps(), smallest);
  if (outcome_ == Outcome::EndsUnknown)
    ends_p_value_ = std::min(ends_p_value_, test.p_value(0));
  if (test.rejects(smallest, stats::Side::Below, error_rate) &&
      test.rejects(-smallest, stats::Side::Above, error_rate))
    outcome_ = Outcome::EndsAlike;
  else if (outcome_ == Outcome::EndsUnknown && ends_p_value_ <= error_rate)
    outcome_ = Outcome::Searching;
  else if (rounds >= rule_.most_rounds)
    outcome_ = Outcome::Undecided;
}

void Search::weigh() {
  if (weighed_ || evidence_.rounds() < 2)
    return;
  beliefs_ = evidence_.weigh(
      [this](std::size_t after, std::size_t until) { return suspects_.prior(after, until); },
      suspects_.last(), rule_.confidence);
  const std::vector<std::size_t> measured(measured_.begin(), measured_.end());
  probabilities_ = suspects_.spread(measured, beliefs_.stretches);
  groups_ = suspects_.groups(probabilities_);
  weighed_ = true;
}

// A single commit where the prior tells it apart from its group, else a group.
std::optional<Group> Search::convicted() const {
  const auto single = std::ranges::max_element(probabilities_);
  const auto position = static_cast<std::size_t>(single - probabilities_.begin());
  if (*single >= rule_.confidence)
    return Group{.first = position, .last = position, .probability = *single};
  if (groups_.front().probability >= rule_.confidence)
    return groups_.front();
  return std::nullopt;
}

void Search::conclude() {
  if (outcome_ != Outcome::Searching)
    return;
  weigh();
  named_ = convicted();
  if (named_)
    outcome_ = named_->size() == 1 ? Outcome::Found : Outcome::OneOf;
  else if (evidence_.rounds() >= rule_.most_rounds)
    outcome_ = Outcome::Undecided;
}

Step Search::next() {
  if (outcome_ == Outcome::EndsUnknown)
    return ends_step();
  conclude();
  if (outcome_ != Outcome::Searching)
    return {};
  Step step = best_step();
  if (step.rounds == 0)
    outcome_ = Outcome::Undecided;
  return step;
}

Step Search::ends_step() const {
  return {.candidate = std::nullopt,
          .rounds = std::max<std::size_t>(1, next_test_ - evidence_.rounds()),
          .build = false};
}

// The commit that halves the probability best, if it builds.
void Search::offer_build(Step& best, double& rate) const {
  const std::vector<double> chances = suspects_.building_chances();
  double before = 0; // probability of a culprit at or before the position: that it is bad
  double best_score = 0;
  double probability = 0;
  double chance = 1;
  std::optional<std::size_t> candidate;
  for (std::size_t position = 1; position < suspects_.last(); ++position) {
    before += probabilities_[position];
    const double score = before * (1 - before) * chances[position];
    if (score <= best_score || !suspects_.builds(position) || measured_.contains(position))
      continue;
    best_score = score;
    probability = before;
    chance = chances[position];
    candidate = position;
  }
  if (!candidate)
    return;
  const Worth building =
      worth(probability, beliefs_.separation, rule_.costs.build, rule_.costs.run);
  if (building.rate * chance <= rate)
    return;
  rate = building.rate * chance;
  best = {.candidate = candidate, .rounds = batch(building.rounds), .build = true};
}

// More rounds of a commit that is built. What they can tell is bounded by what is open about the
// commit's own level, and by what is open about the culprit there.
void Search::offer_repeats(Step& best, double& rate) const {
  double before = 0;
  std::size_t index = 0;
  for (const Look& look : beliefs_.looks) {
    before += beliefs_.stretches[index++];
    const double clear = look.good + look.bad;
    Worth more = worth(clear > 0 ? look.bad / clear : 0, beliefs_.separation, 0, rule_.costs.run);
    if (more.rounds == 0)
      continue;
    const double cost = 3 * rule_.costs.run * static_cast<double>(more.rounds);
    more.rate = std::min(clear * more.rate, entropy(before) / cost);
    if (more.rate <= rate)
      continue;
    rate = more.rate;
    best = {.candidate = look.commit, .rounds = batch(more.rounds), .build = false};
  }
}

Step Search::best_step() {
  constexpr double least_rate = 1e-9; // bits per cost: nothing
  Step best;
  double rate = least_rate;
  offer_build(best, rate);
  offer_repeats(best, rate);
  return best;
}

Answer Search::answer() {
  conclude();
  weigh();
  Answer answer;
  answer.outcome = outcome_;
  answer.ends_p_value = ends_p_value_;
  answer.effect = std::expm1(beliefs_.step);
  answer.interval = {std::expm1(beliefs_.step_interval.low),
                     std::expm1(beliefs_.step_interval.high)};
  answer.named = named_;
  answer.groups = groups_;
  answer.rounds = evidence_.rounds();
  answer.unbuildable = suspects_.unbuildable();
  answer.tried = measured_.size() + answer.unbuildable;
  return answer;
}

} // namespace dragnet::bisect
