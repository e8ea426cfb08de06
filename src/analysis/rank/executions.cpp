#include "analysis/rank/executions.h"

#include "analysis/rank/components.h"
#include "analysis/rank/propagation.h"
#include "analysis/structure/blocks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace dragnet::rank {
namespace {

// A recursion that has not settled after so many rounds has no end.
constexpr std::size_t most_rounds = 1000;
constexpr double settled = 1e-9;
// So many times what comes from outside is no recursion that a program would live through.
constexpr double deepest = 10'000;

class Growth {
public:
  explicit Growth(const ChangeGraph& graph)
      : graph_(graph), component_of_(graph.arises.size(), 0), from_outside_(graph.arises.size()),
        more_(graph.arises.size()), callers_(graph.arises.size()) {
    for (const ChangeEdge& edge : graph.edges)
      callers_[edge.callee].push_back(&edge);
  }

  std::vector<double> run() {
    Callees callees(graph_.arises.size());
    for (const ChangeEdge& edge : graph_.edges)
      callees[edge.caller].push_back(edge.callee);
    auto all = components(callees);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const structure::FunctionNumber function : all[i])
        component_of_[function] = i;
    std::ranges::reverse(all);
    for (const auto& component : all)
      settle(component);
    std::vector<double> after(graph_.calls);
    for (structure::FunctionNumber i = 0; i < after.size(); ++i)
      after[i] += more_[i];
    return after;
  }

private:
  // What the change of frequencies alone does, and what callers outside the recursion do.
  void settle(const std::vector<structure::FunctionNumber>& component) {
    double largest = 0;
    for (const structure::FunctionNumber function : component) {
      for (const ChangeEdge* edge : callers_[function]) {
        from_outside_[function] += (edge->frequency - edge->before) * graph_.calls[edge->caller];
        if (component_of_[edge->caller] != component_of_[function])
          from_outside_[function] += edge->frequency * more_[edge->caller];
      }
      more_[function] = at_least_none(function, from_outside_[function]);
      largest = std::max(largest, std::abs(more_[function]));
    }
    if (largest > 0 && !solve(component, largest))
      for (const structure::FunctionNumber function : component)
        more_[function] = at_least_none(function, from_outside_[function]);
  }

  bool solve(const std::vector<structure::FunctionNumber>& component, double largest) {
    for (std::size_t round = 0; round < most_rounds; ++round) {
      double moved = 0;
      double most = 0;
      for (const structure::FunctionNumber function : component) {
        double now = from_outside_[function];
        for (const ChangeEdge* edge : callers_[function])
          if (component_of_[edge->caller] == component_of_[function])
            now += edge->frequency * more_[edge->caller];
        now = at_least_none(function, now);
        moved = std::max(moved, std::abs(now - more_[function]));
        most = std::max(most, std::abs(now));
        more_[function] = now;
      }
      if (moved <= settled * most)
        return true;
      if (most > deepest * largest)
        return false;
    }
    return false;
  }

  double at_least_none(structure::FunctionNumber function, double more) const {
    return std::max(more, -graph_.calls[function]);
  }

  const ChangeGraph& graph_;
  std::vector<std::size_t> component_of_;
  std::vector<double> from_outside_; // more executions that arise outside of the recursion
  std::vector<double> more_;         // in all
  std::vector<std::vector<const ChangeEdge*>> callers_;
};

} // namespace

std::vector<double> executions_after(const ChangeGraph& graph) {
  return Growth(graph).run();
}

} // namespace dragnet::rank
