#include "analysis/select/probability.h"

#include "analysis/select/example.h"
#include "analysis/select/features.h"
#include "analysis/select/folds.h"
#include "stats/monotone.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

constexpr double likely = 0.5; // whatever is at least so likely is run

// How a held-out example was scored, and whether it is a hit.
struct Scored {
  double log_odds = 0;
  bool hit = false;
};

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

struct Calibration {
  double slope = 1;
  double offset = 0;

  double probability(double log_odds) const { return sigmoid((slope * log_odds) + offset); }
};

stats::LabelledCases cases_of(const Examples& examples) {
  stats::LabelledCases cases{.features = feature_count, .values = {}, .happened = {}};
  cases.values.reserve(examples.size() * feature_count);
  cases.happened.reserve(examples.size());
  for (const Example* example : examples) {
    const Features rescaled = scaled(example->features);
    cases.values.insert(cases.values.end(), rescaled.begin(), rescaled.end());
    cases.happened.push_back(example->truth == Truth::Hit ? 1 : 0);
  }
  return cases;
}

std::size_t hits_in(const Examples& examples) {
  return static_cast<std::size_t>(std::ranges::count_if(
      examples, [](const Example* example) { return example->truth == Truth::Hit; }));
}

// Stumps need more hits than weights do until they do not mistake accidents for steps.
LearnedOdds learn_odds(const Examples& examples) {
  constexpr double hits_for_half = 100;
  const stats::LabelledCases cases = cases_of(examples);
  const auto hits = static_cast<double>(hits_in(examples));
  return {.logistic = stats::learn_logistic(cases),
          .stumps = stats::learn_stumps(cases),
          .stumps_weight = std::min(0.5, hits / (hits + hits_for_half))};
}

void score_fold(const Fold& fold, std::map<const Example*, double>& sums) {
  const LearnedOdds odds = learn_odds(fold.training);
  for (const Example* example : fold.tested)
    sums[example] += odds.of(example->features);
}

// Each example's log odds by learners that did not see its commit, the mean of some divisions.
std::vector<Scored> held_out_scores(const Examples& examples, const Aim& aim) {
  constexpr std::size_t few = 1500;
  const int divisions = examples.size() <= few ? 3 : 1;
  std::mt19937_64 random(aim.seed);
  std::map<const Example*, double> sums;
  for (int division = 0; division < divisions; ++division)
    for (const Fold& fold : folds_by_commit(examples, aim.folds, random))
      score_fold(fold, sums);
  std::vector<Scored> scores;
  scores.reserve(examples.size());
  for (const Example* example : examples)
    scores.push_back({.log_odds = sums[example] / divisions, .hit = example->truth == Truth::Hit});
  return scores;
}

// One step of Newton's method, damped so that a nearly separable set does not throw it off.
Calibration step_from(const Calibration& fit, const std::vector<Scored>& scores, double yes,
                      double no) {
  constexpr double prior = 1e-3; // weak, for the slope 1: that scores need no correction
  double slope_error = -prior * (fit.slope - 1);
  double offset_error = 0;
  double aa = prior;
  double ab = 0;
  double bb = 1e-6;
  for (const Scored& score : scores) {
    const double p = fit.probability(score.log_odds);
    const double error = (score.hit ? yes : no) - p;
    const double weight = std::max(p * (1 - p), 1e-9);
    slope_error += error * score.log_odds;
    offset_error += error;
    aa += weight * score.log_odds * score.log_odds;
    ab += weight * score.log_odds;
    bb += weight;
  }
  const double determinant = (aa * bb) - (ab * ab);
  const double slope_step = ((bb * slope_error) - (ab * offset_error)) / determinant;
  const double offset_step = ((aa * offset_error) - (ab * slope_error)) / determinant;
  const double length = std::abs(slope_step) + std::abs(offset_step);
  const double damping = length > 2 ? 2 / length : 1;
  return {.slope = damping * slope_step, .offset = damping * offset_step};
}

// Logistic regression of the truth on one score, with Platt's softened targets. A slope that would
// turn the order around becomes 0.
Calibration calibrate(const std::vector<Scored>& scores) {
  const auto hits = static_cast<double>(std::ranges::count_if(scores, &Scored::hit));
  const double others = static_cast<double>(scores.size()) - hits;
  const double yes = (hits + 1) / (hits + 2);
  const double no = 1 / (others + 2);
  Calibration fit;
  for (int round = 0; round < 100; ++round) {
    const Calibration step = step_from(fit, scores, yes, no);
    fit.slope += step.slope;
    fit.offset += step.offset;
    if (std::abs(step.slope) + std::abs(step.offset) < 1e-10)
      break;
  }
  fit.slope = std::max(fit.slope, 0.0);
  return fit;
}

// Below the lowest of some sorted scores by as much as makes reaching it so likely, if the lower
// tail falls exponentially.
double extrapolated(const std::vector<double>& scores, double rate) {
  const double middle = scores[scores.size() / 2];
  double excess = 0;
  std::size_t below = 0;
  for (; below < scores.size() && scores[below] < middle; ++below)
    excess += middle - scores[below];
  const double decay = below == 0 ? 0 : excess / static_cast<double>(below);
  const double cases = static_cast<double>(scores.size()) + 1;
  const double missing = std::log(1 / (cases * std::max(1 - rate, 1e-6)));
  return scores.front() - (decay * std::max(missing, 0.0));
}

// The log odds that a hit to come reaches with the wanted rate. The k-th smallest score of n hits
// is missed by the next one with probability k / (n + 1), whatever the scores' distribution is
// (Vovk et al. 2005); between two of them the rate lies between theirs.
double reached_by_hits(const std::vector<Scored>& scores, double rate) {
  std::vector<double> hits;
  for (const Scored& score : scores)
    if (score.hit)
      hits.push_back(score.log_odds);
  std::ranges::sort(hits);
  const double rank = ((1 - rate) * static_cast<double>(hits.size() + 1)) + 1e-9;
  if (rank < 1)
    return extrapolated(hits, rate);
  const auto below = static_cast<std::size_t>(rank);
  const double part = rank - static_cast<double>(below);
  const double upper = hits[std::min(below, hits.size() - 1)];
  return hits[below - 1] + (part * (upper - hits[below - 1]));
}

// What run_from does to the examples that it was chosen on.
void rate_run_from(const std::vector<Scored>& scores, const Calibration& calibration,
                   ProbabilityPredictor& predictor) {
  std::size_t found = 0;
  std::size_t spared = 0;
  for (const Scored& score : scores) {
    const bool run = calibration.probability(score.log_odds) >= predictor.run_from;
    found += score.hit && run ? 1 : 0;
    spared += !score.hit && !run ? 1 : 0;
  }
  const auto part = [](std::size_t some, std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
  };
  predictor.hit_rate = part(found, predictor.hits);
  predictor.dismiss_rate = part(spared, predictor.dismissed);
}

bool enough(const Examples& reached) {
  std::set<std::pair<std::string, std::string>> commits;
  for (const Example* example : reached)
    if (example->truth == Truth::Hit)
      commits.emplace(example->subject, example->new_commit);
  const std::size_t hits = hits_in(reached);
  return hits >= fewest_hits && commits.size() >= 2 && reached.size() > hits;
}

// Even odds where 5 % of the run is edited code; a factor of ten there is one of twenty in the
// odds.
double guess(const Features& features) {
  constexpr double even = 0.05;
  const auto edited = std::max(features.at(static_cast<std::size_t>(Feature::EditedShare)),
                               features.at(static_cast<std::size_t>(Feature::EditedPerCall)));
  return sigmoid(1.3 * std::log(std::max(edited, 1e-6) / even));
}

} // namespace

double LearnedOdds::of(const Features& features) const {
  const Features rescaled = scaled(features);
  return ((1 - stumps_weight) * logistic.log_odds(rescaled)) +
         (stumps_weight * stumps.log_odds(rescaled));
}

ProbabilityPredictor learn_probability(const Examples& examples, const Aim& aim) {
  ProbabilityPredictor predictor;
  Examples reached;
  Examples unreached;
  for (const Example* example : examples)
    if (example->truth != Truth::Unknown)
      (any_reached(example->features) ? reached : unreached).push_back(example);
  predictor.hits = hits_in(reached);
  predictor.dismissed = reached.size() - predictor.hits;
  if (!unreached.empty())
    predictor.unreached =
        static_cast<double>(hits_in(unreached)) / static_cast<double>(unreached.size());
  if (!enough(reached))
    return predictor;
  const std::vector<Scored> scores = held_out_scores(reached, aim);
  const Calibration calibration = calibrate(scores);
  predictor.odds = learn_odds(reached);
  for (const Example* example : reached)
    for (std::size_t i = 0; i < feature_count; ++i)
      predictor.largest.at(i) = std::max(predictor.largest.at(i), example->features.at(i));
  predictor.slope = calibration.slope;
  predictor.offset = calibration.offset;
  predictor.trained = true;
  const double limit = reached_by_hits(scores, aim.hit_rate);
  predictor.run_from = std::min(calibration.probability(limit), likely);
  rate_run_from(scores, calibration, predictor);
  return predictor;
}

double probability(const ProbabilityPredictor& predictor, const Features& features) {
  if (!any_reached(features))
    return predictor.unreached;
  if (!predictor.trained)
    return guess(features);
  return sigmoid((predictor.slope * predictor.odds.of(features)) + predictor.offset);
}

std::optional<Feature> beyond_training(const ProbabilityPredictor& predictor,
                                       const Features& features) {
  for (std::size_t i = 0; i < feature_count; ++i)
    if (predictor.trained && is_learned(static_cast<Feature>(i)) &&
        features.at(i) > 2 * predictor.largest.at(i))
      return static_cast<Feature>(i);
  return std::nullopt;
}

bool must_run(const ProbabilityPredictor& predictor, const Features& features) {
  if (!any_reached(features))
    return false;
  return !predictor.trained || beyond_training(predictor, features) ||
         probability(predictor, features) >= predictor.run_from;
}

} // namespace dragnet::select
