// Did a stack change, or is it chance? Sound with few runs, and corrected for the many stacks that
// are looked at.
#pragma once

#include "analysis/explain/watched.h"

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::explain {

/// One quantity of a stack on both sides.
struct Change {
  double before = 0; ///< mean per run
  double now = 0;
  double share = 0;    ///< what it makes more or less of the run's total, with its sign
  double p_value = 1;  ///< of "no change", corrected for all that were tested; 0 where it is exact
  bool exact = false;  ///< the values repeat on both sides
  bool counts = false; ///< significant, and large enough to be told
};

struct Judgement {
  Change amount;
  Change calls;
  Change per_call; ///< what it makes more of the total at the calls that both sides made
  bool changed = false;
  double effect = 0;     ///< the largest share of those that count, without its sign
  double similarity = 1; ///< of the least similar that counts, as Spectrum has it; 1 if none does
};

struct Thresholds {
  double family_rate = 0.01;           ///< of a false alarm in all rows together
  double smallest_share = 0.01;        ///< of the run's total
  double smallest_exact_share = 0.001; ///< of the run's total, where values repeat
};

/// What is judged: the runs of one stack for one metric.
struct Evidence {
  std::vector<RunUse> before;
  std::vector<RunUse> now;
  RunUse total; ///< of a run for the metric, on the side where it is larger
};

struct Judgements {
  std::vector<Judgement> rows; ///< one for each piece of evidence
  bool repeats = true;         ///< whether all that matters repeats
  bool enough = true;          ///< whether there are runs enough to tell changes where it does not
};

/// With one run a side, everything is taken to repeat.
Judgements judged(std::span<const Evidence> evidence, const Thresholds& thresholds);

} // namespace dragnet::explain
