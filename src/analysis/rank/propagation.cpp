#include "analysis/rank/propagation.h"

#include "analysis/rank/components.h"
#include "analysis/rank/frequencies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

// Frequencies that let a recursion go on for so many rounds have no end.
constexpr std::size_t most_rounds = 10'000;
constexpr double settled = 1e-12;

using Edges = std::vector<const ChangeEdge*>;

class Propagation {
public:
  Propagation(const ChangeGraph& graph, Recursion recursion)
      : graph_(graph), recursion_(recursion), inside_(graph.arises), passed_on_(graph.arises),
        callees_(graph.arises.size()), callers_(graph.arises.size()),
        component_of_(graph.arises.size(), 0) {
    for (const ChangeEdge& edge : graph.edges) {
      callees_[edge.caller].push_back(&edge);
      callers_[edge.callee].push_back(&edge);
    }
  }

  std::vector<double> run() {
    Callees callees(graph_.arises.size());
    for (const ChangeEdge& edge : graph_.edges)
      callees[edge.caller].push_back(edge.callee);
    const auto all = components(callees);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const FunctionNumber function : all[i])
        component_of_[function] = i;
    for (const auto& component : all)
      settle(component);
    return std::move(passed_on_);
  }

private:
  bool is_inside(const ChangeEdge& edge) const {
    return component_of_[edge.caller] == component_of_[edge.callee];
  }

  void settle(const std::vector<FunctionNumber>& component) {
    bool changes = false;
    for (const FunctionNumber function : component) {
      for (const ChangeEdge* edge : callees_[function])
        if (!is_inside(*edge))
          inside_[function] += edge->frequency * passed_on_[edge->callee];
      changes = changes || inside_[function] != 0;
      passed_on_[function] = inside_[function];
    }
    if (!changes || !is_cycle(component))
      return;
    if (recursion_ == Recursion::OnceAround || !solve(component))
      go_around_once(component);
  }

  bool is_cycle(const std::vector<FunctionNumber>& component) const {
    return component.size() > 1 ||
           std::ranges::any_of(callees_[component.front()],
                               [](const ChangeEdge* edge) { return edge->caller == edge->callee; });
  }

  void go_around_once(const std::vector<FunctionNumber>& component) {
    std::vector<double> sums(component.size(), 0.0);
    for (const FunctionNumber start : component)
      if (inside_[start] != 0)
        spread(start, component, sums);
    const double depth = depth_of_cycle(component);
    for (std::size_t i = 0; i < component.size(); ++i)
      passed_on_[component[i]] = sums[i] * depth;
  }

  // From one function of a cycle to its callers in it, each once.
  void spread(FunctionNumber start, const std::vector<FunctionNumber>& component,
              std::vector<double>& sums) const {
    std::vector<double> reached(graph_.arises.size(), 0.0);
    std::vector<bool> seen(graph_.arises.size(), false);
    std::deque<FunctionNumber> queue{start};
    reached[start] = inside_[start];
    seen[start] = true;
    while (!queue.empty()) {
      const FunctionNumber callee = queue.front();
      queue.pop_front();
      for (const ChangeEdge* edge : callers_[callee])
        if (is_inside(*edge) && !seen[edge->caller]) {
          seen[edge->caller] = true;
          reached[edge->caller] = reached[callee] * edge->frequency;
          queue.push_back(edge->caller);
        }
    }
    for (std::size_t i = 0; i < component.size(); ++i)
      sums[i] += reached[component[i]];
  }

  double depth_of_cycle(const std::vector<FunctionNumber>& component) const {
    Cycle cycle;
    for (const FunctionNumber function : component) {
      cycle.executions += graph_.calls[function];
      for (const ChangeEdge* edge : callers_[function])
        if (!is_inside(*edge))
          cycle.from_outside += edge->calls;
        else if (edge->calls == 0)
          return 1; // A recursion that the commit added.
        else
          cycle.frequencies.push_back(edge->calls / std::max(1.0, graph_.calls[edge->caller]));
    }
    return depth_of(cycle);
  }

  bool solve(const std::vector<FunctionNumber>& component) {
    const double limit = most_rounds * largest(component, inside_);
    for (std::size_t round = 0; round < most_rounds; ++round) {
      double moved = 0;
      for (const FunctionNumber function : component) {
        const double now = sum_inside(function);
        moved = std::max(moved, std::abs(now - passed_on_[function]));
        passed_on_[function] = now;
      }
      const double most = largest(component, passed_on_);
      if (moved <= settled * most)
        return true;
      if (most > limit)
        return false;
    }
    return false;
  }

  double sum_inside(FunctionNumber function) const {
    double sum = inside_[function];
    for (const ChangeEdge* edge : callees_[function])
      if (is_inside(*edge))
        sum += edge->frequency * passed_on_[edge->callee];
    return sum;
  }

  static double largest(const std::vector<FunctionNumber>& component,
                        const std::vector<double>& values) {
    double most = 0;
    for (const FunctionNumber function : component)
      most = std::max(most, std::abs(values[function]));
    return most;
  }

  const ChangeGraph& graph_;
  Recursion recursion_;
  std::vector<double> inside_;    // what arises in a function or comes from below its cycle
  std::vector<double> passed_on_; // to its callers
  std::vector<Edges> callees_;
  std::vector<Edges> callers_;
  std::vector<std::size_t> component_of_;
};

} // namespace

double depth_of(const Cycle& cycle) {
  double divisor = cycle.from_outside;
  for (const double frequency : cycle.frequencies)
    divisor *= frequency;
  return divisor > 0 ? cycle.executions / divisor : 1;
}

std::vector<double> propagated(const ChangeGraph& graph, Recursion recursion) {
  return Propagation(graph, recursion).run();
}

} // namespace dragnet::rank
