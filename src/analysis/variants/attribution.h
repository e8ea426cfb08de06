// Under which options a change shows, as a probability of each conjunction of options. A literal
// (an option that is on, or one that is off) is a bit in a row of twice as many bits as there are
// options; a condition is a set of literals, and holds for the rows that include it. Conditions
// compete by what each configuration said about the change, so that interactions come out as
// interactions, alternatives as alternatives, and a change of all configurations as the empty set.
#pragma once

#include "analysis/variants/answer.h"
#include "analysis/variants/sampling.h"
#include "model/configuration.h"

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::variants {

/// The literals that hold in a configuration.
Configuration literals_of(const Configuration& configuration);

/// What a configuration says: the logarithm of how much more probable its values are if it changed
/// than if it did not.
struct Testimony {
  Configuration literals;
  double log_ratio = 0;
};

/// A set of literals and its probability.
struct Hypothesis {
  std::vector<std::size_t> literals; ///< ascending
  double probability = 0;
};

/// The conditions that hold in a witness, weighed by all testimonies.
class Attribution {
public:
  Attribution(const Configuration& witness, std::span<const Testimony> testimonies,
              const LearnRule& rule, Random& random);

  /// Most probable first.
  const std::vector<Hypothesis>& hypotheses() const { return hypotheses_; }
  const Hypothesis& best() const { return hypotheses_.front(); }
  /// How probable it is that a configuration with these literals changes.
  double affects(const Configuration& literals) const;
  /// The literals of the witness that no testimony speaks against.
  const std::vector<std::size_t>& possible() const { return possible_; }

private:
  std::vector<Hypothesis> hypotheses_;
  std::vector<std::size_t> possible_;
};

/// How probable it is that a literal belongs to the condition.
double involves(std::span<const Hypothesis> hypotheses, std::size_t literal);

/// The one to tell: the most probable; where no single one is more probable than not, those
/// literals that are (the median model: Barbieri and Berger 2004).
Hypothesis most_credible(std::span<const Hypothesis> hypotheses, std::size_t options);

/// The probability of a condition as it is told. Where conditions compete, the one that is told is
/// right more often than the weights say; in made-up systems, about by this.
double stated(const Hypothesis& told);

/// The condition in terms of options.
Condition condition_of(const Hypothesis& hypothesis, std::size_t options);

} // namespace dragnet::variants
