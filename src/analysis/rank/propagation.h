// How a change of cost in some functions reaches those that call them, up to the root.
#pragma once

#include "analysis/structure/blocks.h"

#include <vector>

namespace dragnet::rank {

struct ChangeEdge {
  structure::FunctionNumber caller = 0;
  structure::FunctionNumber callee = 0;
  double frequency = 0; ///< calls for one execution of the caller, in the new version
  double before = 0;    ///< the same in the base
  double calls = 0;     ///< in the profile of the base; 0: the commit added the edge
};

/// Functions that call each other, with the change of cost that arises in each of them for one
/// execution.
struct ChangeGraph {
  std::vector<double> arises;
  std::vector<double> calls; ///< of each function in the profile of the base
  std::vector<ChangeEdge> edges;
};

/// A cycle of the call graph.
struct Cycle {
  double executions = 0; ///< of all its functions together
  double from_outside = 0;
  std::vector<double> frequencies; ///< along its edges
};

/// The average depth of a recursion (Mostafa, Wang and Xie 2017, formula 9): executions divided by
/// the product of the calls from outside and the frequencies inside. Calls from outside are counted
/// over the whole profile, as the executions are: for a caller that runs once, as in the paper,
/// that is the frequency.
double depth_of(const Cycle& cycle);

/// For each function the change of its cost with all that it calls, for one execution. A cycle
/// counts once around, times its average depth, as published.
std::vector<double> propagated(const ChangeGraph& graph);

} // namespace dragnet::rank
