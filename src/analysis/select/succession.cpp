#include "analysis/select/succession.h"

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/probability.h"

namespace dragnet::select {
namespace {

Predict by(const ProbabilityPredictor& predictor) {
  return [predictor](const Example& example) { return must_run(predictor, example.features); };
}

// Whoever runs everything misses nothing: what training aims at is enough, as far as chance tells.
bool finds_enough(const Rate& hit) {
  constexpr double least = 0.9;
  return hit.value() >= least && hit.interval().high >= Aim{}.hit_rate;
}

bool is_better(const Score& candidate, const Score& present) {
  if (candidate.hit.value() < present.hit.value() && !finds_enough(candidate.hit))
    return false;
  return candidate.dismiss.value() > present.dismiss.value() ||
         (candidate.hit.value() > present.hit.value() &&
          candidate.dismiss.value() >= present.dismiss.value());
}

} // namespace

Succession compare_successor(const Examples& examples, const ProbabilityPredictor& present) {
  const Train train = [](const Examples& some) { return by(learn_probability(some, {})); };
  Succession succession;
  succession.candidate = cross_validated(train, examples, {.folds = 5, .repetitions = 1});
  succession.present = score_of(by(present), examples);
  succession.replaces = is_better(succession.candidate, succession.present);
  return succession;
}

} // namespace dragnet::select
