// How good the predictions of a project were, and how good its predictor is.
#pragma once

#include <cstddef>

namespace dragnet {

/// How good predictions were: so many of so many cases, and the interval of the share.
struct KnownRate {
  std::size_t good = 0;
  std::size_t cases = 0;
  double low = 0;
  double high = 1;
};

struct PredictionRecord {
  bool trained = false;
  KnownRate hit;     ///< changes that were foreseen
  KnownRate dismiss; ///< benchmarks without a change that were dismissed
  std::size_t audits = 0;
  std::size_t audits_missed = 0; ///< of them, changed after all
};

/// How a predictor that was trained on checks did against the one before it, on all examples that
/// are kept.
struct PredictorEvaluation {
  std::size_t examples = 0;
  std::size_t changes = 0; ///< of them
  KnownRate hit;           ///< on commits held out of its training
  KnownRate dismiss;
  KnownRate hit_before; ///< of the one that it was to replace
  KnownRate dismiss_before;
  bool replaced = false; ///< it did better, and is used from then on
};

} // namespace dragnet
