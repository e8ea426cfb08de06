// Ours: own costs, probabilities of branches and exits.

#include "analysis/rank/frequencies.h"
#include "analysis/rank/probabilities.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/shares.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"

#include <algorithm>
#include <vector>

namespace dragnet::rank {
namespace {

// The cost of one operation of a function: its own where it was executed, otherwise the usual.
double operation_cost(const Circumstances& circumstances, structure::FunctionNumber function,
                      double operations) {
  const Executed* executed = circumstances.test.find(function);
  return executed != nullptr && operations > 0 && executed->own > 0
             ? executed->own / operations
             : operation_of(circumstances.usual, function);
}

double at(const Frequencies& calls, structure::FunctionNumber callee) {
  const auto found = calls.find(callee);
  return found == calls.end() ? 0 : found->second;
}

// The recorded calls with the difference between both versions: more of them are added, fewer are
// so many times fewer, down to none.
Frequencies moved(Frequencies recorded, const Frequencies& before, const Frequencies& after) {
  for (const auto& [callee, frequency] : before)
    if (const double now = at(after, callee); now < frequency)
      recorded[callee] *= now / frequency;
  for (const auto& [callee, frequency] : after)
    recorded[callee] += std::max(0.0, frequency - at(before, callee));
  return recorded;
}

} // namespace

Revision our_revision(const Circumstances& circumstances, const AllLoops& loops,
                      structure::FunctionNumber function) {
  const structure::ProgramFunction& both = circumstances.program.functions()[function];
  Revision revision{.before = recorded(circumstances, function), .after = {}};
  if (both.next.source == nullptr) {
    if (const Executed* executed = circumstances.test.find(function))
      revision.own = -executed->own;
    return revision;
  }
  const structure::FunctionNumber old = both.predecessor ? both.predecessor->function : function;
  const structure::Version& old_version = circumstances.program.before(both);
  const auto base = base_probabilities(circumstances, old);
  const auto targets = resolved(circumstances, function);
  const auto probabilities = next_probabilities(both, old_version, base);
  const Work after = work_of(both.next.blocks,
                             reached(both.next.blocks, {.loops = loops_of(both.next, loops.next),
                                                        .probabilities = probabilities}),
                             targets, shares_of(circumstances, loops, both.next, targets));
  const Executed* executed = circumstances.test.find(old);
  Work before;
  if (old_version.source != nullptr && executed != nullptr)
    before =
        work_of(old_version.blocks,
                reached(old_version.blocks,
                        {.loops = loops_of(old_version, loops.base), .probabilities = base}),
                resolved_base(circumstances, old),
                shares_of(circumstances, loops, old_version, resolved_base(circumstances, old)));
  const double operation = operation_cost(circumstances, old, before.operations);
  if (both.predecessor && (!both.predecessor->as_a_whole || executed == nullptr)) {
    revision.after = after.calls;
    revision.own = after.operations * operation;
    return revision;
  }
  revision.after = moved(recorded(circumstances, old), before.calls, after.calls);
  revision.own = (after.operations - before.operations) * operation;
  if (both.predecessor)
    revision.own += executed->own;
  return revision;
}

} // namespace dragnet::rank
