// Finds the commit that made a metric move, between a good and a bad end, although measurements are
// noisy: a Bayesian search (after Horstein 1963; Castro and Nowak 2008) that also learns the size
// of the step, the noise and its tails as it goes. Pure: it is told what was measured and says what
// to do next; whoever drives it builds and runs. A search is resumed by telling it its facts again:
// probabilities are then the same up to the placing of a grid. docs/analyses/bisect.md.
#pragma once

#include "analysis/bisect/evidence.h"
#include "analysis/bisect/gain.h"
#include "analysis/bisect/suspects.h"
#include "stats/interval.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace dragnet::bisect {

/// How repeated runs of one program relate to each other.
enum class Nature : std::uint8_t {
  Noisy, ///< they differ
  Count  ///< they may agree; if two rounds do within 0.01 %, the ends are judged by that
};

struct Rule {
  Nature nature = Nature::Noisy;
  double confidence = 0.95;      ///< of every answer
  double smallest_effect = 0.01; ///< ends that differ by less, as a share, count as alike
  Strayness strayness;
  Costs costs;
  std::size_t most_rounds = 10000;
};

/// What is measured together, interleaved, in one round.
enum class Place : std::uint8_t { Good, Bad, Candidate };

/// The order of a round's runs: fair, and the same for the same seed and round, always.
std::array<Place, 3> order_of_round(std::uint64_t seed, std::size_t round);

/// One round's values, above 0.
struct Round {
  double good = 0;
  double bad = 0;
  std::optional<std::size_t> candidate; ///< its position
  double value = 0;                     ///< the candidate's
};

/// What to do next: so many rounds, with a candidate or of the ends alone.
struct Step {
  std::optional<std::size_t> candidate;
  std::size_t rounds = 0; ///< 0: nothing, the search has ended
  bool build = false;     ///< the candidate was not measured before
};

enum class Outcome : std::uint8_t {
  EndsUnknown, ///< it is not known yet whether the ends differ
  EndsAlike,   ///< they differ by less than the smallest effect
  Searching,   ///< they differ; nobody is convicted yet
  Found,       ///< one commit
  OneOf,       ///< one of a group that cannot be told apart
  Undecided    ///< nothing that could still be measured would help, or rounds are used up
};

struct Answer {
  Outcome outcome = Outcome::EndsUnknown;
  double ends_p_value = 1;    ///< of "the ends are alike", valid at any time
  double effect = 0;          ///< bad / good - 1
  stats::Interval interval;   ///< of the effect
  std::optional<Group> named; ///< the culprit, or those that cannot be told apart from it
  std::vector<Group> groups;  ///< all suspects, most probable first; while searching too
  std::size_t rounds = 0;
  std::size_t tried = 0;       ///< commits between the ends that were built or could not be
  std::size_t unbuildable = 0; ///< of those
};

class Search {
public:
  /// One prior weight for each position from 1, the last one being the bad end.
  Search(std::vector<double> prior, const Rule& rule);

  /// Takes in a round. Its values are finite and above 0.
  void observe(const Round& round);
  /// Takes in that a commit between the ends cannot be built or measured.
  void cannot_build(std::size_t position);

  /// What is worth most to do next.
  Step next();
  /// What is known now.
  Answer answer();

private:
  void test_ends();
  bool ends_repeat() const;
  void weigh();
  std::optional<Group> convicted() const;
  void conclude();
  Step best_step();
  Step ends_step() const;
  void offer_build(Step& best, double& rate) const;
  void offer_repeats(Step& best, double& rate) const;

  Rule rule_;
  Suspects suspects_;
  Evidence evidence_;
  std::set<std::size_t> measured_;
  Outcome outcome_ = Outcome::EndsUnknown;
  double ends_p_value_ = 1;
  std::size_t next_test_ = 2; // of the ends: the round after which
  bool weighed_ = false;      // whether the following hold for all facts
  Beliefs beliefs_;
  std::vector<double> probabilities_; // of the positions
  std::vector<Group> groups_;
  std::optional<Group> named_;
};

} // namespace dragnet::bisect
