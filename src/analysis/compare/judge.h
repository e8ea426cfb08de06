// Judges whether a metric of a benchmark changed between two commits, from paired runs.
// assess() looks at one row alone and may be asked after every pair; judge() turns the rows of one
// question into verdicts, corrected for their number. docs/analyses/compare.md explains both.
#pragma once

#include "model/verdict.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dragnet::compare {

/// Ratios of new to old are held within this and its inverse: from 0 to more counts as this change,
/// and an interval that reaches it has no bound on that side yet.
inline constexpr double ratio_limit = 1e6;

/// The error rates that a question is answered with.
struct Rule {
  double alarm_rate = 0.01; ///< questions with a false alarm in any row, however often one looks
  double equivalence_rate = 0.05; ///< rows called unchanged although they changed
  double confidence = 0.95;       ///< of the interval that is shown
};

/// What was measured for one benchmark and metric: pairs, in the order in which they were taken.
struct Evidence {
  /// How repeated runs of one program relate to each other.
  enum class Nature : std::uint8_t {
    Noisy, ///< they differ
    Count, ///< they may agree; if all do within 0.01 %, from two pairs on, they are the truth
    Exact  ///< one run is the truth
  };

  std::vector<double> old_values; ///< not negative; a pair with any other value is left out
  std::vector<double> new_values; ///< as many; values without a partner are ignored
  Better better = Better::Lower;
  double smallest_effect = 0.02; ///< as a share: 0.02 is from 1/1.02 to 1.02 of old
  Nature nature = Nature::Noisy;
};

/// What the pairs of one row say, before the other rows of the question are considered.
struct Assessment {
  double change = 0;       ///< new / old - 1, from the pseudo-median of the pairs' log ratios
  double low = 0;          ///< lower end of the interval of change, valid at any time
  double high = 0;         ///< upper end of it
  double p_value = 1;      ///< of "no change", valid at any time
  bool equivalent = false; ///< a change as large as the smallest effect is ruled out on both sides
  bool exact = false;    ///< the values repeat, so that the ratio is the truth and not an estimate
  std::size_t pairs = 0; ///< how many pairs were used
  std::size_t dropped = 0; ///< how many were not: a value is not a number, infinite or negative
};

/// The verdict on one row and, in one sentence, why.
struct Judgement {
  Verdict verdict = Verdict::Inconclusive;
  std::string rule;
};

/// What the pairs of one row say on their own; valid after any number of pairs.
Assessment assess(const Evidence& evidence, const Rule& rule);

/// The verdicts on the rows of one question, in their order, with Holm's correction over them.
/// Give all rows of the question, also those not measured yet: their number sets the correction.
std::vector<Judgement> judge(std::span<const Evidence> evidence,
                             std::span<const Assessment> assessments, const Rule& rule);

} // namespace dragnet::compare
