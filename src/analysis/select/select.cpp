#include "analysis/select/select.h"

#include "analysis/select/evidence.h"
#include "analysis/select/executed.h"
#include "analysis/select/features.h"
#include "analysis/select/indicators.h"
#include "analysis/select/methods.h"
#include "analysis/select/probability.h"
#include "analysis/select/reasons.h"
#include "analysis/select/threshold_predictor.h"
#include "model/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

constexpr std::size_t enough_samples = 1000;

// The share of a run, at most, that none of so many samples shows (at 95 %).
double unseen_by(std::uint64_t samples) {
  return 3 / static_cast<double>(std::max<std::uint64_t>(samples, 3));
}

Reason because(ReasonKind kind, std::string subject = {}) {
  return {.kind = kind, .subject = std::move(subject), .with = {}};
}

// A binary of the build that is executed but not compared.
std::optional<std::string> uncompared(const Candidate& candidate) {
  const std::string* last = nullptr;
  for (const FunctionCounts& counts : candidate.profile->functions) {
    const std::string& binary = counts.function.binary;
    if (last != nullptr && *last == binary)
      continue;
    last = &binary;
    if (std::ranges::find(candidate.compared, binary) == candidate.compared.end())
      return binary;
  }
  return std::nullopt;
}

bool too_few_samples(const Profile& profile) {
  return profile.counting == Counting::Sampled && profile.instructions < enough_samples;
}

// Why a benchmark must run whatever a predictor says; nothing if it need not.
std::vector<Reason> reasons_to_run_anyway(const Candidate& candidate, const Policy& policy) {
  if (candidate.profile == nullptr)
    return {because(ReasonKind::NoProfile, candidate.trouble)};
  if (candidate.difference == nullptr)
    return {because(ReasonKind::NoDifference, candidate.trouble)};
  std::vector<Reason> reasons = reasons_of(candidate.circumstances);
  if (candidate.profile->functions.empty())
    reasons.push_back(because(ReasonKind::EmptyProfile));
  if (const auto binary = uncompared(candidate))
    reasons.push_back(because(ReasonKind::UncomparedBinary, *binary));
  if (too_few_samples(*candidate.profile)) {
    reasons.push_back(because(ReasonKind::FewSamples));
    reasons.back().count = candidate.profile->instructions;
  }
  if (policy.most_hops > 0 && candidate.hops > policy.most_hops) {
    reasons.push_back(because(ReasonKind::TooFarAway));
    reasons.back().count = candidate.hops;
    reasons.back().limit = static_cast<double>(policy.most_hops);
  }
  return reasons;
}

void add(std::vector<Reason> more, std::vector<Reason>& reasons) {
  for (Reason& reason : more)
    reasons.push_back(std::move(reason));
}

// Everything that is known about a candidate whose profile and difference are.
struct Known {
  Executed executed;
  Evidence evidence;
  Features features;

  explicit Known(const Candidate& candidate)
      : executed(*candidate.profile),
        evidence(gather(*candidate.difference, executed, candidate.circumstances)),
        features(features_of(evidence, executed)) {}
};

void skip_unreached(const Known& known, Decision& decision) {
  decision.choice = Choice::Skip;
  decision.basis = Basis::Rule;
  decision.reasons.push_back(because(known.evidence.changes == 0
                                         ? ReasonKind::NothingChanged
                                         : ReasonKind::NothingExecutedChanged));
  decision.reasons.back().count = known.evidence.changes;
  const Profile& profile = known.executed.profile();
  if (profile.counting == Counting::Sampled)
    decision.reasons.back().limit = unseen_by(profile.instructions);
}

void run_untrained(const std::string& why, Decision& decision) {
  decision.choice = Choice::Run;
  decision.basis = Basis::Untrained;
  decision.reasons.push_back(because(ReasonKind::Untrained, why));
}

void decide_by_evidence(const Known& known, const ProbabilityPredictor& predictor,
                        Decision& decision) {
  if (!known.evidence.any()) {
    skip_unreached(known, decision);
    return;
  }
  if (!predictor.trained) {
    run_untrained("", decision);
    return;
  }
  decision.basis = Basis::Learned;
  if (const auto feature = beyond_training(predictor, known.features)) {
    const auto index = static_cast<std::size_t>(*feature);
    decision.choice = Choice::Run;
    decision.reasons.push_back({.kind = ReasonKind::BeyondTraining,
                                .subject = std::string(name(*feature)),
                                .share = known.features.at(index),
                                .limit = predictor.largest.at(index),
                                .with = {}});
    return;
  }
  const bool run = must_run(predictor, known.features);
  decision.choice = run ? Choice::Run : Choice::Skip;
  decision.reasons.push_back({.kind = run ? ReasonKind::LikelyEnough : ReasonKind::LearnedHarmless,
                              .subject = {},
                              .share = decision.probability,
                              .limit = predictor.run_from,
                              .count = predictor.hits + predictor.dismissed,
                              .with = {}});
}

// Without a hit in training the published predictor never fires, which must not pass for knowledge.
void decide_by_thresholds(const Known& known, const Candidate& candidate,
                          const ThresholdPredictor& predictor, Decision& decision) {
  if (!predictor.trained()) {
    if (known.evidence.any())
      run_untrained("no change of performance was seen in training", decision);
    else
      skip_unreached(known, decision);
    return;
  }
  decision.basis = Basis::Learned;
  const Indicators values = indicators_of(*candidate.difference, known.executed);
  for (const Threshold& threshold : predictor.any) {
    const double value = values.at(static_cast<std::size_t>(threshold.indicator));
    if (value >= threshold.at_least)
      decision.reasons.push_back({.kind = ReasonKind::IndicatorReached,
                                  .subject = std::string(name(threshold.indicator)),
                                  .share = value,
                                  .limit = threshold.at_least,
                                  .with = {}});
  }
  decision.choice = decision.reasons.empty() ? Choice::Skip : Choice::Run;
  if (decision.choice == Choice::Run)
    return;
  decision.reasons.push_back(because(ReasonKind::NoIndicatorReached));
  decision.reasons.back().count = predictor.hits + predictor.dismissed;
}

Decision decide_one(const Candidate& candidate, const Learned& learned, const Policy& policy) {
  Decision decision{.benchmark = candidate.benchmark, .reasons = {}};
  decision.reasons = reasons_to_run_anyway(candidate, policy);
  if (candidate.profile == nullptr || candidate.difference == nullptr)
    return decision;
  const Known known(candidate);
  // How much a library changed is not known, so that no predictor can dismiss it.
  if (decision.reasons.empty() && known.evidence.libraries.empty()) {
    decision.probability = probability(learned.probability, known.features);
    if (policy.method == Method::Evidence)
      decide_by_evidence(known, learned.probability, decision);
    else
      decide_by_thresholds(known, candidate, learned.thresholds.of(candidate.benchmark), decision);
  }
  add(reasons_of(known.evidence, policy.most_of_a_kind), decision.reasons);
  return decision;
}

} // namespace

std::vector<Decision> decide(std::span<const Candidate> candidates, const Learned& learned,
                             const Policy& policy) {
  std::vector<Decision> decisions;
  decisions.reserve(candidates.size());
  for (const Candidate& candidate : candidates)
    decisions.push_back(decide_one(candidate, learned, policy));
  return decisions;
}

std::string_view name(Basis basis) {
  switch (basis) {
  case Basis::Rule:
    return "rule";
  case Basis::Learned:
    return "learned";
  case Basis::Untrained:
    return "untrained";
  case Basis::Counted:
    return "counted";
  }
  return "";
}

void audit(std::vector<Decision>& decisions, double share, std::mt19937_64& random) {
  std::vector<Decision*> skipped;
  for (Decision& decision : decisions)
    if (decision.choice == Choice::Skip)
      skipped.push_back(&decision);
  const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(skipped.size());
  const auto whole = static_cast<std::size_t>(wanted + 1e-9);
  // The rest is a chance of one more, so that the share is right in the long run.
  constexpr double largest = 0x1p53;
  const double lot = static_cast<double>(random() >> 11U) / largest;
  const std::size_t count = whole + (lot < wanted - static_cast<double>(whole) ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(skipped[i], skipped[i + (random() % (skipped.size() - i))]);
    Decision& decision = *skipped[i];
    decision.choice = Choice::Run;
    decision.audited = true;
    decision.reasons.insert(decision.reasons.begin(), because(ReasonKind::Audit));
  }
}

} // namespace dragnet::select
