// What measuring is worth: information about the culprit per cost.
#pragma once

#include <cstddef>

namespace dragnet::bisect {

/// What it takes, in any unit.
struct Costs {
  double build = 30; ///< of a commit
  double run = 1;    ///< one measurement; a round is three
};

/// What is worth most to do with one commit.
struct Worth {
  double rate = 0;        ///< bits per cost
  std::size_t rounds = 0; ///< after which it would be known best for its cost
};

/// The entropy of an event, in bits.
double entropy(double probability);

/// The bits that one normal value tells about an event of this probability which, if it happens,
/// moves the value by so many standard deviations.
double information(double probability, double separation);

/// The best number of rounds for a commit whose level is bad with this probability; the build's
/// cost is 0 where it is built.
Worth worth(double probability, double separation, double build_cost, double run_cost);

} // namespace dragnet::bisect
