#include "analysis/select/methods.h"

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/features.h"
#include "analysis/select/indicators.h"
#include "analysis/select/probability.h"
#include "analysis/select/threshold_predictor.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::select {
namespace {

struct Pairs {
  std::vector<Indicators> hits;
  std::vector<Indicators> dismissed;
};

std::map<std::string, Pairs> pairs_by_benchmark(const Examples& examples, Scope scope) {
  std::map<std::string, Pairs> pairs;
  for (const Example* example : examples) {
    Pairs& own = pairs[scope == Scope::Common ? "" : example->benchmark];
    if (example->truth == Truth::Hit)
      own.hits.push_back(example->indicators);
    else if (example->truth == Truth::Dismiss)
      own.dismissed.push_back(example->indicators);
  }
  return pairs;
}

Train thresholds(Scope scope, Search search) {
  return [scope, search](const Examples& examples) -> Predict {
    const ThresholdPredictors predictors = learn_threshold_predictors(examples, scope, search);
    return [predictors](const Example& example) {
      return predictors.of(example.benchmark).fires(example.indicators);
    };
  };
}

Predict train_evidence(const Examples& examples) {
  const ProbabilityPredictor predictor = learn_probability(examples, Aim{});
  return [predictor](const Example& example) { return must_run(predictor, example.features); };
}

Predict train_nothing(const Examples& /*examples*/) {
  return [](const Example& example) { return any_reached(example.features); };
}

} // namespace

std::string_view name(Method method) {
  return method == Method::Evidence ? "evidence" : "perphecy";
}

std::optional<Method> method_named(std::string_view name_given) {
  for (const Method method : {Method::Evidence, Method::Perphecy})
    if (name(method) == name_given)
      return method;
  return std::nullopt;
}

const ThresholdPredictor& ThresholdPredictors::of(const std::string& benchmark) const {
  static const ThresholdPredictor untrained;
  const auto found = by_benchmark.find(scope == Scope::Common ? "" : benchmark);
  return found == by_benchmark.end() ? untrained : found->second;
}

ThresholdPredictors learn_threshold_predictors(const Examples& examples, Scope scope,
                                               Search search) {
  ThresholdPredictors predictors{.scope = scope, .by_benchmark = {}};
  for (const auto& [benchmark, pairs] : pairs_by_benchmark(examples, scope))
    predictors.by_benchmark[benchmark] = learn_thresholds(pairs.hits, pairs.dismissed, search);
  return predictors;
}

std::vector<Trainer> trainers() {
  return {{"perphecy", thresholds(Scope::Common, Search::Greedy)},
          {"perphecy, per benchmark", thresholds(Scope::PerBenchmark, Search::Greedy)},
          {"cheapest thresholds", thresholds(Scope::Common, Search::Cheapest)},
          {"untrained", train_nothing},
          {"evidence", train_evidence}};
}

} // namespace dragnet::select
