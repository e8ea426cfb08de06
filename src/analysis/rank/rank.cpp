#include "analysis/rank/rank.h"

#include "analysis/rank/baselines.h"
#include "analysis/rank/estimate.h"
#include "analysis/rank/loop_counts.h"
#include "analysis/rank/program.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "model/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::rank {
namespace {

std::vector<Estimate> in_baseline_order(const Program& program,
                                        std::span<const SourceProfile> profiles, Method method) {
  const Order order = method == Method::Coverage ? coverage_order(program, profiles)
                                                 : loop_coverage_order(program, profiles);
  std::vector<Estimate> estimates;
  for (const std::size_t test : order) {
    Estimate& estimate = estimates.emplace_back();
    estimate.test = profiles[test].test;
    estimate.cost = profiles[test].cost;
    estimate.reached = reaches_a_change(program, profiles[test]);
  }
  return estimates;
}

// Ours: an edit that is not understood may cost something each time it is executed.
double weight(const Estimate& estimate, Method method) {
  const double edited =
      method == Method::Ours && estimate.cost > 0 ? estimate.edited / estimate.cost : 0;
  return std::abs(estimate.relative()) + edited;
}

LoopCounts shared_guesses(const Program& program, std::span<const SourceProfile> profiles,
                          const UsualCosts& usual) {
  MeanLoops guesses;
  for (const SourceProfile& profile : profiles) {
    const TestModel test = model_of(program, profile);
    guesses.add(guessed_loops({.program = program, .test = test, .usual = usual}));
  }
  return guesses.means();
}

} // namespace

std::vector<Estimate> ranked(const Program& program, std::span<const SourceProfile> profiles,
                             Method method, const LibraryCosts& library) {
  if (method == Method::Coverage || method == Method::LoopCoverage)
    return in_baseline_order(program, profiles, method);
  UsualCosts usual = usual_costs(program, profiles, library);
  if (method == Method::Ours)
    usual.guesses = shared_guesses(program, profiles, usual);
  std::vector<Estimate> estimates;
  estimates.reserve(profiles.size());
  for (const SourceProfile& profile : profiles) {
    const TestModel test = model_of(program, profile);
    estimates.push_back(estimated({.program = program, .test = test, .usual = usual}, method));
    estimates.back().cost = whole_cost(profile);
  }
  std::ranges::stable_sort(estimates, [&](const Estimate& a, const Estimate& b) {
    if (a.reached != b.reached)
      return a.reached;
    return weight(a, method) > weight(b, method);
  });
  return estimates;
}

} // namespace dragnet::rank
