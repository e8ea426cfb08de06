// Two profiles of one benchmark, before and after a commit, as one list of functions: a function
// that the commit renamed is one function.
#pragma once

#include "model/function.h"
#include "model/profile.h"
#include "stats/flow.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace dragnet::explain {

/// One side of the calls between functions; nodes are the joint functions.
struct SideCalls {
  std::vector<double> own; ///< instructions in each function itself
  std::vector<std::uint64_t> calls;
  std::vector<stats::Arc> arcs;
  std::vector<double> parts; ///< of the arcs, among all that lead to the same function
  double total = 1;          ///< instructions of the run, at least 1
};

struct BothSides {
  std::vector<FunctionId> functions;          ///< by their new names
  std::vector<const FunctionChange*> changes; ///< of each function; null where there is none
  SideCalls before;
  SideCalls now;
};

/// Borrows the changes of the difference, which must outlive it.
BothSides both_sides(const Profile& before, const Profile& now, const Difference& difference);

} // namespace dragnet::explain
