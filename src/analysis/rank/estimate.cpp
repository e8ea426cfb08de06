#include "analysis/rank/estimate.h"

#include "analysis/rank/executions.h"
#include "analysis/rank/frequencies.h"
#include "analysis/rank/propagation.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace dragnet::rank {
namespace {

class Extension {
public:
  Extension(const Circumstances& circumstances, Method method)
      : circumstances_(circumstances), method_(method),
        loops_(method == Method::Published ? published_loops(circumstances)
                                           : our_loops(circumstances)),
        graph_{.arises = std::vector<double>(size(), 0.0),
               .calls = std::vector<double>(size(), 0.0),
               .edges = {}},
        inserted_(size(), false), executions_(size(), 0.0) {}

  Estimate run() {
    Estimate estimate;
    estimate.test = circumstances_.test.test;
    estimate.cost = circumstances_.test.cost;
    for (const auto& [function, executed] : circumstances_.test.functions) {
      graph_.calls[function] = executions_[function] = executed.calls;
      insert(function);
    }
    while (!rest_.empty()) {
      const structure::FunctionNumber function = rest_.back();
      rest_.pop_back();
      take(function);
    }
    if (method_ == Method::Ours)
      executions_ = executions_after(graph_);
    estimate.reached = reached_;
    estimate.edited = edited_;
    if (reached_) {
      explain(estimate);
      estimate.change = change_in(estimate);
    }
    return estimate;
  }

private:
  std::size_t size() const { return circumstances_.program.functions().size(); }
  const structure::ProgramFunction& at(structure::FunctionNumber function) const {
    return circumstances_.program.functions()[function];
  }

  // As published, at the root; where that is foreign, as the main function of a library is, and by
  // ours, what arises adds up.
  double change_in(const Estimate& explained) const {
    if (const auto& root = circumstances_.test.root; root && method_ == Method::Published)
      return propagated(graph_)[*root];
    double sum = 0;
    for (const Origin& origin : explained.origins)
      sum += origin.change;
    return sum;
  }

  void insert(structure::FunctionNumber function) {
    if (inserted_[function])
      return;
    inserted_[function] = true;
    rest_.push_back(function);
  }

  // What one execution cost before; nothing for a body that has to be computed from its callees.
  std::optional<double> old_cost(structure::FunctionNumber function) const {
    if (const Executed* executed = circumstances_.test.find(function))
      return executed->cost;
    if (const auto& usual = circumstances_.usual.functions[function]; usual && !varies(function))
      return usual;
    const structure::Fate fate = at(function).fate;
    if (fate == structure::Fate::Added ||
        (method_ == Method::Ours && at(function).next.source != nullptr))
      return std::nullopt;
    return method_ == Method::Published ? circumstances_.usual.average
                                        : circumstances_.usual.operation * foreign_operations;
  }

  // Ours: what a function with loops costs depends on the test, so that its source says more than
  // what it cost in others.
  bool varies(structure::FunctionNumber function) const {
    const SourceFunction* source = at(function).next.source;
    return method_ == Method::Ours && source != nullptr && !source->loops.empty();
  }

  bool is_concerned(structure::FunctionNumber function) const {
    const structure::Fate fate = at(function).fate;
    return fate == structure::Fate::Revised || fate == structure::Fate::Added ||
           fate == structure::Fate::Removed || has_moved_loops(function) ||
           circumstances_.test.find(function) == nullptr;
  }

  bool has_moved_loops(structure::FunctionNumber function) const {
    const structure::Program& program = circumstances_.program;
    return method_ == Method::Published
               ? has_affected_loops(program, function)
               : has_refilled_loops(program, function) || has_stretched_loops(program, function);
  }

  void take(structure::FunctionNumber function) {
    if (!is_concerned(function)) {
      for (const auto& [callee, frequency] : recorded(circumstances_, function))
        add_edge(function, callee, frequency, frequency);
      return;
    }
    reached_ = true;
    const Revision revision = method_ == Method::Published
                                  ? published_revision(circumstances_, loops_, function)
                                  : our_revision(circumstances_, loops_, function);
    graph_.arises[function] += revision.own;
    if (at(function).fate == structure::Fate::Revised)
      edited_ += edited_cost(function);
    for (const auto& [callee, frequency] : revision.before) {
      graph_.arises[function] -= frequency * old_cost(callee).value_or(0);
      if (method_ == Method::Ours && !revision.after.contains(callee))
        add_edge(function, callee, 0, frequency);
    }
    for (const auto& [callee, frequency] : revision.after) {
      const auto before = revision.before.find(callee);
      add_edge(function, callee, frequency, before == revision.before.end() ? 0 : before->second);
      if (frequency <= 0)
        continue;
      const auto cost = old_cost(callee);
      graph_.arises[function] += frequency * cost.value_or(0);
      if (!cost) {
        executions_[callee] += executions_[function] * frequency;
        insert(callee);
      }
    }
  }

  // What an edit may cost that is not understood: it may be anywhere in its function, and compilers
  // make something else of all of it.
  double edited_cost(structure::FunctionNumber function) const {
    const Executed* executed = circumstances_.test.find(function);
    if (executed == nullptr)
      return executions_[function];
    const auto& blocks = at(function).base.blocks;
    double operations = 0;
    double all = 0;
    for (std::size_t i = 0; i < executed->blocks.size(); ++i) {
      operations += executed->blocks[i] * blocks[i].block->weight;
      all += blocks[i].block->weight;
    }
    return (all > 0 ? operations / all : executions_[function]) +
           (remade * executed->own * executed->calls);
  }

  void add_edge(structure::FunctionNumber caller, structure::FunctionNumber callee,
                double frequency, double before) {
    double calls = 0;
    if (const Executed* executed = circumstances_.test.find(caller))
      if (const auto found = executed->callees.find(callee); found != executed->callees.end())
        calls = found->second;
    graph_.edges.push_back({.caller = caller,
                            .callee = callee,
                            .frequency = frequency,
                            .before = before,
                            .calls = calls});
  }

  void explain(Estimate& estimate) const {
    for (structure::FunctionNumber function = 0; function < size(); ++function)
      if (const double change = graph_.arises[function] * executions_[function]; change != 0)
        estimate.origins.push_back({.function = function, .change = change});
    std::ranges::sort(estimate.origins, std::greater(),
                      [](const Origin& origin) { return std::abs(origin.change); });
    if (!estimate.origins.empty())
      estimate.path = path_to(estimate.origins.front().function);
  }

  // Upwards along the callers that call most.
  std::vector<Step> path_to(structure::FunctionNumber origin) const {
    std::vector<Step> path;
    std::set<structure::FunctionNumber> seen{origin};
    structure::FunctionNumber function = origin;
    const auto& root = circumstances_.test.root;
    while (!root || function != *root) {
      const ChangeEdge* best = nullptr;
      for (const ChangeEdge& edge : graph_.edges)
        if (edge.callee == function && !seen.contains(edge.caller) &&
            (best == nullptr || calls_along(edge) > calls_along(*best)))
          best = &edge;
      if (best == nullptr)
        break;
      path.push_back({.function = function, .frequency = best->frequency});
      function = best->caller;
      seen.insert(function);
    }
    path.push_back({.function = function});
    std::ranges::reverse(path);
    return path;
  }

  double calls_along(const ChangeEdge& edge) const {
    return executions_[edge.caller] * edge.frequency;
  }

  // How much of a function is made otherwise after an edit, about.
  static constexpr double remade = 0.01;

  // What a function without source and measurement is taken for: most of them are small ones of
  // libraries, which disappear into their callers.
  static constexpr double foreign_operations = 5;

  const Circumstances& circumstances_;
  Method method_;
  AllLoops loops_;
  ChangeGraph graph_;
  std::vector<bool> inserted_;
  std::vector<double> executions_;
  std::vector<structure::FunctionNumber> rest_;
  bool reached_ = false;
  double edited_ = 0;
};

} // namespace

double Estimate::relative() const {
  if (cost > 0)
    return change / cost;
  return change == 0 ? 0 : std::numeric_limits<double>::infinity();
}

Estimate estimated(const Circumstances& circumstances, Method method) {
  return Extension(circumstances, method).run();
}

} // namespace dragnet::rank
