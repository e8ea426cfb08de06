// What the learner is told to look for, and what it answers.
#pragma once

#include "analysis/variants/score.h"
#include "model/configuration.h"
#include "stats/interval.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace dragnet::variants {

struct Answer;

/// How to learn.
struct LearnRule {
  double threshold = 0.1;           ///< changes below this part, wherever they show, do not matter
  double confidence = 0.95;         ///< of being done, at which it stops
  std::size_t measurements = 2000;  ///< at most
  std::size_t positions = 9;        ///< of a configuration's first look along the history
  std::size_t most_interacting = 5; ///< options
  double negation = 0.03;           ///< how probable it is that an option must be off, against on
  Configuration alternatives;       ///< options that exclude at least two others
  double suspicion = 3.3;           ///< deviations from which on a step is looked at closely
  double evidence = 4.5;            ///< deviations that a step needs
  double smallest_noise = 1e-6;     ///< relative; two equal values do not prove that there is none
  std::function<void(const Answer&)> listener; ///< is told after each round what is believed so far
};

/// When a change shows: these options are on and those are off. All configurations if both are
/// empty.
struct Condition {
  std::vector<std::size_t> on;
  std::vector<std::size_t> off;
};

/// How probable it is that an option has to do with a change.
struct OptionProbability {
  Literal literal;
  double probability = 0;
};

/// A commit at which some configurations changed.
struct ChangePoint {
  std::size_t after = 0;  ///< the last commit that is known to be before the change
  std::size_t commit = 0; ///< the first that is known to be behind it
  Condition condition;
  double commit_probability = 0;
  double condition_probability = 0;
  std::vector<OptionProbability> options; ///< those that are at all probable
  Configuration shown_by;                 ///< where it shows best
  double change = 0;                      ///< relative, there
  stats::Interval interval;               ///< of the change, at 95 %

  /// That the commit and the condition are both right.
  double probability() const { return commit_probability * condition_probability; }
};

/// The values of one configuration at one commit.
struct MeasuredCell {
  std::size_t commit = 0;
  double mean = 0;
  std::size_t count = 0; ///< of measurements
};

/// What was measured of one configuration, by commit.
struct MeasuredRow {
  Configuration configuration;
  std::vector<MeasuredCell> cells;
};

struct Answer {
  std::vector<ChangePoint> changes; ///< by commit
  double done = 0;                  ///< probability that no other change is there to be found
  double noise = 0;                 ///< relative standard deviation of a measurement
  std::size_t measurements = 0;
  std::size_t cells = 0; ///< distinct configurations at distinct commits
  std::size_t configurations = 0;
  std::vector<std::size_t> broken; ///< commits that do not build; older ones took their place
  std::vector<MeasuredRow> rows;   ///< all that was measured; filled in at the end of the search
};

/// The answer as pairs of commit and option, for the score.
std::vector<Association> associations(const Answer& answer);

} // namespace dragnet::variants
