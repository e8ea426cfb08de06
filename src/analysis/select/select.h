// Which benchmarks can a commit have changed? Decides for each whether to run it, with its
// probability and reasons. What is not known is run: a benchmark is only skipped with a reason that
// can be checked. docs/analyses/select.md explains the rules.
#pragma once

#include "analysis/select/evidence.h"
#include "analysis/select/methods.h"
#include "analysis/select/probability.h"
#include "analysis/select/reasons.h"
#include "model/function.h"
#include "model/profile.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::select {

/// A benchmark in question and what is known about it. Profile and difference are borrowed.
struct Candidate {
  std::string benchmark;
  const Profile* profile = nullptr;       ///< on the closest ancestor that has one; null: none
  const Difference* difference = nullptr; ///< from that ancestor's build to the new; null: unknown
  std::vector<std::string> compared;      ///< the binaries that the difference speaks of
  Circumstances circumstances;
  std::size_t hops = 1; ///< commits since that ancestor
  std::string trouble;  ///< why there is no profile or difference
};

/// What was learned; a method uses its part.
struct Learned {
  ProbabilityPredictor probability;
  ThresholdPredictors thresholds;
};

struct Policy {
  Method method = Method::Evidence;
  std::size_t most_hops = 0;      ///< beyond which a benchmark is run; 0: no limit
  std::size_t most_of_a_kind = 3; ///< reasons of one kind that are listed
};

enum class Choice : std::uint8_t { Run, Skip };

/// What a decision rests on.
enum class Basis : std::uint8_t {
  Rule,      ///< certain: nothing executed changed; or not known, so that it must run
  Learned,   ///< a trained predictor
  Untrained, ///< something executed changed, and there is no trained predictor
  Counted    ///< both sides were run once and counted: they do the same work
};

/// "rule", "learned", "untrained" or "counted".
std::string_view name(Basis basis);

struct Decision {
  std::string benchmark;
  Choice choice = Choice::Run;
  double probability = 1; ///< that its performance changed; 1 where nothing is known
  Basis basis = Basis::Rule;
  std::vector<Reason> reasons; ///< at least one, the decisive first
  bool audited = false;        ///< dismissed, but run as a test
};

/// A decision for each candidate, in their order.
std::vector<Decision> decide(std::span<const Candidate> candidates, const Learned& learned,
                             const Policy& policy);

/// Turns a random share of the skipped decisions into audits that run; rounded at random, so that
/// the share is right in the long run.
void audit(std::vector<Decision>& decisions, double share, std::mt19937_64& random);

} // namespace dragnet::select
