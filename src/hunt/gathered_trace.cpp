#include "hunt/gathered_trace.h"

#include "analysis/blame/call_tree.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/trace_folder.h"
#include "base/result.h"
#include "lab/tracing.h"
#include "model/profile.h"
#include "model/trace.h"
#include "profile/call_files.h"
#include "profile/trace_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dragnet::hunt {

FunctionId without_suffix(FunctionId function) {
  const std::size_t dot = function.name.find('.', 1);
  if (dot != std::string::npos)
    function.name.resize(dot);
  return function;
}

std::uint32_t Numbering::of(const FunctionId& function) {
  const auto next = static_cast<std::uint32_t>(functions_.size());
  const auto [found, added] = numbers_.emplace(function, next);
  if (added)
    functions_.push_back(function);
  return found->second;
}

std::vector<std::vector<std::uint32_t>> numbers_of(const lab::TracedRun& run,
                                                   const Renamed& renamed, Numbering& numbering) {
  std::vector<std::vector<std::uint32_t>> numbers;
  for (const auto& functions : run.functions) {
    auto& of_process = numbers.emplace_back();
    for (const FunctionId& function : functions) {
      const auto known = without_suffix(function);
      const auto found = renamed.find(known);
      of_process.push_back(numbering.of(found == renamed.end() ? known : found->second));
    }
  }
  return numbers;
}

std::uint64_t events_of(const lab::TracedRun& run) {
  std::uint64_t calls = 0;
  for (const auto& process : run.processes)
    for (const auto& costs : process.costs)
      calls += costs.calls;
  return calls * 2;
}

GatheredTrace::Seen& GatheredTrace::seen(std::uint32_t node) {
  auto& run = runs_.back();
  if (run.size() <= node)
    run.resize(std::max<std::size_t>(std::size_t{node} + 1, shape_.nodes().size()));
  return run[node];
}

void GatheredTrace::add(const blame::CallTree& tree, std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> places(tree.nodes().size(), blame::CallTree::root);
  for (std::size_t i = 1; i < tree.nodes().size(); ++i) {
    const auto& node = tree.nodes()[i];
    places[i] = shape_.callee(places[node.parent], numbers[node.function]);
    Seen& here = seen(places[i]);
    here.calls += node.calls;
    here.cost += node.cost;
  }
}

Result<> GatheredTrace::add_events(const lab::TracedRun& run,
                                   const std::vector<std::vector<std::uint32_t>>& numbers) {
  runs_.emplace_back();
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    const auto& process = run.processes[i];
    const auto trace = TRY(profile::ProcessTrace::open(run.folder.path(), process.name));
    blame::TraceFolder folder(process.functions.size(), process.scope(), [](auto) {});
    profile::each_by_time(trace.threads(),
                          [&](std::size_t thread, auto events) { folder.add(thread, events); });
    folder.finish();
    add(folder.tree(), numbers[i]);
  }
  return success();
}

void GatheredTrace::add_costs(const lab::TracedRun& run,
                              const std::vector<std::vector<std::uint32_t>>& numbers) {
  runs_.emplace_back();
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    const auto& costs = run.processes[i].costs;
    for (std::size_t function = 1; function < costs.size(); ++function) {
      if (costs[function].calls == 0)
        continue;
      Seen& here = seen(shape_.callee(blame::CallTree::root, numbers[i][function]));
      here.calls += costs[function].calls;
      here.cost += costs[function].cost;
    }
  }
}

blame::CallTree GatheredTrace::tree() const {
  blame::CallTree tree = shape_;
  for (std::uint32_t node = 1; node < tree.nodes().size(); ++node) {
    std::uint64_t least = UINT64_MAX;
    for (const auto& run : runs_) {
      const Seen here = node < run.size() ? run[node] : Seen{};
      tree.at(node).calls = here.calls;
      least = std::min(least, here.cost);
    }
    tree.at(node).cost = least;
  }
  return tree;
}

void add_executions(const lab::TracedRun& run,
                    const std::vector<std::vector<std::uint32_t>>& numbers,
                    blame::ImpactSets& impact) {
  for (std::size_t i = 0; i < run.processes.size(); ++i)
    for (const Execution& execution : run.processes[i].executions) {
      // A library that was loaded twice has two numbers for a function.
      std::map<std::uint32_t, FunctionSpan> spans;
      for (FunctionSpan span : execution) {
        span.function = numbers[i][span.function];
        const auto [found, added] = spans.emplace(span.function, span);
        found->second.first = std::min(found->second.first, span.first);
        found->second.last = std::max(found->second.last, span.last);
      }
      Execution renumbered;
      renumbered.reserve(spans.size());
      for (const auto& [function, span] : spans)
        renumbered.push_back(span);
      impact.add(renumbered);
    }
}

} // namespace dragnet::hunt
