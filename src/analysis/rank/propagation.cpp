#include "analysis/rank/propagation.h"

#include "analysis/rank/components.h"
#include "analysis/structure/blocks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

using Edges = std::vector<const ChangeEdge*>;

class Propagation {
public:
  explicit Propagation(const ChangeGraph& graph)
      : graph_(graph), inside_(graph.arises), passed_on_(graph.arises),
        callees_(graph.arises.size()), callers_(graph.arises.size()),
        component_of_(graph.arises.size(), 0) {
    for (const ChangeEdge& edge : graph.edges)
      if (edge.frequency > 0) {
        callees_[edge.caller].push_back(&edge);
        callers_[edge.callee].push_back(&edge);
      }
  }

  std::vector<double> run() {
    Callees callees(graph_.arises.size());
    for (structure::FunctionNumber caller = 0; caller < callees_.size(); ++caller)
      for (const ChangeEdge* edge : callees_[caller])
        callees[caller].push_back(edge->callee);
    const auto all = components(callees);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const structure::FunctionNumber function : all[i])
        component_of_[function] = i;
    for (const auto& component : all)
      settle(component);
    return std::move(passed_on_);
  }

private:
  bool is_inside(const ChangeEdge& edge) const {
    return component_of_[edge.caller] == component_of_[edge.callee];
  }

  void settle(const std::vector<structure::FunctionNumber>& component) {
    bool changes = false;
    for (const structure::FunctionNumber function : component) {
      for (const ChangeEdge* edge : callees_[function])
        if (!is_inside(*edge))
          inside_[function] += edge->frequency * passed_on_[edge->callee];
      changes = changes || inside_[function] != 0;
      passed_on_[function] = inside_[function];
    }
    if (!changes || !is_cycle(component))
      return;
    go_around_once(component);
  }

  bool is_cycle(const std::vector<structure::FunctionNumber>& component) const {
    return component.size() > 1 ||
           std::ranges::any_of(callees_[component.front()],
                               [](const ChangeEdge* edge) { return edge->caller == edge->callee; });
  }

  void go_around_once(const std::vector<structure::FunctionNumber>& component) {
    std::vector<double> sums(component.size(), 0.0);
    for (const structure::FunctionNumber start : component)
      if (inside_[start] != 0)
        spread(start, component, sums);
    const double depth = depth_of_cycle(component);
    for (std::size_t i = 0; i < component.size(); ++i)
      passed_on_[component[i]] = sums[i] * depth;
  }

  // From one function of a cycle to its callers in it, each once.
  void spread(structure::FunctionNumber start,
              const std::vector<structure::FunctionNumber>& component,
              std::vector<double>& sums) const {
    std::vector<double> reached(graph_.arises.size(), 0.0);
    std::vector<bool> seen(graph_.arises.size(), false);
    std::deque<structure::FunctionNumber> queue{start};
    reached[start] = inside_[start];
    seen[start] = true;
    while (!queue.empty()) {
      const structure::FunctionNumber callee = queue.front();
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

  // From the function that is called most along the edges that are taken most, until it closes.
  Edges most_travelled(const std::vector<structure::FunctionNumber>& component) const {
    structure::FunctionNumber function = *std::ranges::max_element(
        component, {}, [&](structure::FunctionNumber one) { return graph_.calls[one]; });
    Edges way;
    const auto starts_at = [&](structure::FunctionNumber one) {
      return std::ranges::find(way, one, [](const ChangeEdge* edge) { return edge->caller; });
    };
    while (starts_at(function) == way.end()) {
      const ChangeEdge* most = nullptr;
      for (const ChangeEdge* edge : callees_[function])
        if (is_inside(*edge) && (most == nullptr || edge->calls > most->calls))
          most = edge;
      way.push_back(most);
      function = most->callee;
    }
    return {starts_at(function), way.end()};
  }

  // The paper's cycles go around one way. Where functions call each other in many ways, that is the
  // one that is taken most.
  double depth_of_cycle(const std::vector<structure::FunctionNumber>& component) const {
    Cycle cycle;
    const Edges way = most_travelled(component);
    const auto is_on_it = [&](structure::FunctionNumber function) {
      return std::ranges::find(way, function,
                               [](const ChangeEdge* edge) { return edge->caller; }) != way.end();
    };
    for (const ChangeEdge* edge : way) {
      if (edge->calls == 0)
        return 1; // A recursion that the commit added.
      cycle.frequencies.push_back(edge->calls / std::max(1.0, graph_.calls[edge->caller]));
      cycle.executions += graph_.calls[edge->caller];
      for (const ChangeEdge* call : callers_[edge->caller])
        if (!is_on_it(call->caller))
          cycle.from_outside += call->calls;
    }
    return depth_of(cycle);
  }

  const ChangeGraph& graph_;
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

std::vector<double> propagated(const ChangeGraph& graph) {
  return Propagation(graph).run();
}

} // namespace dragnet::rank
