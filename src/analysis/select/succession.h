// Whether a newly trained predictor takes the place of the present one.
#pragma once

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/probability.h"

namespace dragnet::select {

struct Succession {
  Score candidate;       ///< on commits that it was not trained on
  Score present;         ///< on all examples, also those that it was trained on
  bool replaces = false; ///< it finds as many changes, or as training aims at, and dismisses more
};

/// Compares the present predictor with one that is trained on these examples. The comparison
/// favours the present one, which has seen some of them.
Succession compare_successor(const Examples& examples, const ProbabilityPredictor& present);

} // namespace dragnet::select
