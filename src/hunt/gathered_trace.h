// What was traced of both versions, with the same number for the same function, and runs of one
// version as one tree.
#pragma once

#include "analysis/blame/call_tree.h"
#include "analysis/blame/impact_sets.h"
#include "base/result.h"
#include "lab/tracing.h"
#include "model/profile.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace dragnet::hunt {

/// The function that copies of compilers (f.constprop.0, f.cold) are of: hooks know only that.
FunctionId without_suffix(FunctionId function);

/// Numbers functions by their ids in the new version.
class Numbering {
public:
  std::uint32_t of(const FunctionId& function);
  const std::vector<FunctionId>& functions() const { return functions_; }

private:
  std::map<FunctionId, std::uint32_t> numbers_;
  std::vector<FunctionId> functions_;
};

/// The new ids of functions that the new version calls otherwise.
using Renamed = std::map<FunctionId, FunctionId>;

/// For each process of a run, its functions' numbers.
std::vector<std::vector<std::uint32_t>> numbers_of(const lab::TracedRun& run,
                                                   const Renamed& renamed, Numbering& numbering);

/// How many events the full trace of a run has, about.
std::uint64_t events_of(const lab::TracedRun& run);

class GatheredTrace {
public:
  /// Takes in a run: the tree of its events, or of its functions alone.
  Result<> add_events(const lab::TracedRun& run,
                      const std::vector<std::vector<std::uint32_t>>& numbers);
  void add_costs(const lab::TracedRun& run, const std::vector<std::vector<std::uint32_t>>& numbers);

  /// All runs as one: of each call path the calls of the last and the smallest cost, because
  /// whatever disturbs a run adds to it.
  blame::CallTree tree() const;

private:
  struct Seen {
    std::uint64_t calls = 0;
    std::uint64_t cost = 0;
  };
  Seen& seen(std::uint32_t node);
  void add(const blame::CallTree& tree, std::span<const std::uint32_t> numbers);

  blame::CallTree shape_;
  std::vector<std::vector<Seen>> runs_; // by run and node
};

/// Adds the executions of a run.
void add_executions(const lab::TracedRun& run,
                    const std::vector<std::vector<std::uint32_t>>& numbers,
                    blame::ImpactSets& impact);

} // namespace dragnet::hunt
