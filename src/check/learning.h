// Learns from checks: what was measured becomes the outcome of a prediction and an example to learn
// from, and a new predictor replaces the old one where it would have predicted better.
#pragma once

#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/prediction_record.h"

#include <optional>
#include <vector>

namespace dragnet::check {

/// Keeps what measuring concluded, for the score of the predictions.
Result<> keep_outcomes(lab::Laboratory& laboratory, const CheckedCommit& checked,
                       const std::vector<Benchmark>& benchmarks);

/// Fills in how good the predictions were so far.
Result<> add_record(lab::Laboratory& laboratory, PredictionRecord& record);

/// Makes examples of what a check measured, as far as both sides are profiled, and trains a
/// predictor anew when there are enough new ones. Nothing where it did not train.
Result<std::optional<PredictorEvaluation>> learn_from(lab::Laboratory& laboratory,
                                                      const CheckedCommit& checked,
                                                      const std::vector<Benchmark>& benchmarks);

/// How the last predictor that was trained on checks did; nothing where there was none.
Result<std::optional<PredictorEvaluation>> last_evaluation(lab::Laboratory& laboratory);

} // namespace dragnet::check
