// Ours: own costs, probabilities of branches and exits.

#include "analysis/rank/frequencies.h"
#include "analysis/rank/probabilities.h"
#include "analysis/rank/program.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/shares.h"
#include "analysis/rank/test_model.h"
#include "model/source.h"

#include <algorithm>
#include <span>
#include <vector>

namespace dragnet::rank {
namespace {

std::span<const double> slice(const Version& version, const std::vector<double>& loops) {
  return std::span(loops).subspan(version.first_loop, version.source->loops.size());
}

// The cost of one operation of a function: its own where it was executed, otherwise the usual.
double operation_cost(const Circumstances& circumstances, FunctionNumber function,
                      double operations) {
  const Executed* executed = circumstances.test.find(function);
  return executed != nullptr && operations > 0 && executed->own > 0
             ? executed->own / operations
             : operation_of(circumstances.usual, function);
}

} // namespace

Revision our_revision(const Circumstances& circumstances, const AllLoops& loops,
                      FunctionNumber function) {
  const ProgramFunction& both = circumstances.program.functions()[function];
  const Executed* executed = circumstances.test.find(function);
  Revision revision{.before = recorded(circumstances, function), .after = {}};
  if (both.next.source == nullptr)
    return revision;
  const auto targets = resolved(circumstances, function);
  const auto base = base_probabilities(both.base, executed == nullptr ? std::span<const double>{}
                                                                      : executed->blocks);
  Work before;
  if (both.base.source != nullptr && executed != nullptr)
    before = work_of(
        both.base.blocks,
        reached(both.base.blocks, {.loops = slice(both.base, loops.base), .probabilities = base}),
        resolved_base(circumstances, function),
        shares_of(circumstances, loops, both.base, resolved_base(circumstances, function)));
  const auto probabilities = next_probabilities(both, base);
  const Work after = work_of(both.next.blocks,
                             reached(both.next.blocks, {.loops = slice(both.next, loops.next),
                                                        .probabilities = probabilities}),
                             targets, shares_of(circumstances, loops, both.next, targets));
  revision.after = revision.before;
  for (const auto& [callee, frequency] : before.calls)
    revision.after[callee] -= frequency;
  for (const auto& [callee, frequency] : after.calls)
    revision.after[callee] += frequency;
  for (auto& [callee, frequency] : revision.after)
    frequency = std::max(0.0, frequency);
  revision.own = (after.operations - before.operations) *
                 operation_cost(circumstances, function, before.operations);
  return revision;
}

} // namespace dragnet::rank
