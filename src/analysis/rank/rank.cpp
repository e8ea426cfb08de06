#include "analysis/rank/rank.h"

#include "analysis/rank/baselines.h"
#include "analysis/rank/estimate.h"
#include "analysis/rank/loop_counts.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace dragnet::rank {
namespace {

std::vector<Estimate> in_baseline_order(const structure::Program& program,
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

// Ours: an edit that is not understood may cost something, too.
double weight(const Estimate& estimate, Method method) {
  const double edited =
      method == Method::Ours && estimate.cost > 0 ? estimate.edited / estimate.cost : 0;
  return std::abs(estimate.relative()) + edited;
}

LoopCounts shared_guesses(const structure::Program& program,
                          std::span<const SourceProfile> profiles, const UsualCosts& usual) {
  MeanLoops guesses;
  for (const SourceProfile& profile : profiles) {
    const TestModel test = model_of(program, profile);
    guesses.add(guessed_loops({.program = program, .test = test, .usual = usual}));
  }
  return guesses.means();
}

// Estimates tests, and what their programs execute without them, by the same rules.
class Estimator {
public:
  Estimator(const structure::Program& program, const UsualCosts& usual, Method method)
      : program_(program), usual_(usual), method_(method) {}

  Estimate of(const SourceProfile& profile) const {
    const TestModel test = model_of(program_, profile);
    Estimate estimate = estimated({.program = program_, .test = test, .usual = usual_}, method_);
    estimate.cost = whole_cost(profile);
    return estimate;
  }

  // Many tests share a start.
  const Estimate& of_start(const SourceProfile& start) {
    const auto found = starts_.find(&start);
    return found != starts_.end() ? found->second
                                  : starts_.emplace(&start, of(start)).first->second;
  }

private:
  const structure::Program& program_;
  const UsualCosts& usual_;
  Method method_;
  std::map<const SourceProfile*, Estimate> starts_;
};

void take_away(const Estimate& start, Estimate& test) {
  test.cost = std::max(0.0, test.cost - start.cost);
  test.change -= start.change;
  test.edited = std::max(0.0, test.edited - start.edited);
  for (const Origin& origin : start.origins) {
    const auto same = std::ranges::find(test.origins, origin.function, &Origin::function);
    if (same != test.origins.end())
      same->change -= origin.change;
  }
  std::ranges::stable_sort(test.origins, std::greater(),
                           [](const Origin& origin) { return std::abs(origin.change); });
}

} // namespace

std::vector<Estimate> ranked(const structure::Program& program,
                             std::span<const SourceProfile> profiles, Method method,
                             const LibraryCosts& library, const Starts& starts) {
  if (method == Method::Coverage || method == Method::LoopCoverage)
    return in_baseline_order(program, profiles, method);
  UsualCosts usual = usual_costs(program, profiles, library);
  if (method == Method::Ours)
    usual.guesses = shared_guesses(program, profiles, usual);
  Estimator estimator(program, usual, method);
  std::vector<Estimate> estimates;
  estimates.reserve(profiles.size());
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    estimates.push_back(estimator.of(profiles[i]));
    if (i < starts.size() && starts[i] != nullptr)
      take_away(estimator.of_start(*starts[i]), estimates.back());
  }
  std::ranges::stable_sort(estimates, [&](const Estimate& a, const Estimate& b) {
    if (a.reached != b.reached)
      return a.reached;
    return weight(a, method) > weight(b, method);
  });
  return estimates;
}

} // namespace dragnet::rank
