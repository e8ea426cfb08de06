// The ways to select that users choose by name, and how each is trained on examples.
#pragma once

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/threshold_predictor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::select {

enum class Method : std::uint8_t {
  Evidence, ///< a calibrated probability from what changed and is executed
  Perphecy  ///< thresholds on eight indicators, as Oliveira et al. published them
};

/// "evidence" or "perphecy".
std::string_view name(Method method);

/// The method of this name, or nothing.
std::optional<Method> method_named(std::string_view name);

/// Whether benchmarks are learned from together or each on its own.
enum class Scope : std::uint8_t { Common, PerBenchmark };

/// Threshold predictors for all benchmarks of a project.
struct ThresholdPredictors {
  Scope scope = Scope::Common;
  std::map<std::string, ThresholdPredictor> by_benchmark; ///< under "" if common

  /// The one for a benchmark; one that was never trained if there is none.
  const ThresholdPredictor& of(const std::string& benchmark) const;
};

ThresholdPredictors learn_threshold_predictors(const Examples& examples, Scope scope,
                                               Search search);

/// All ways to train, for evaluation: Algorithm 1 common and per benchmark, the cheapest cover, the
/// rule of who is untrained, and the default. A method's name is that of its trainer.
std::vector<Trainer> trainers();

} // namespace dragnet::select
