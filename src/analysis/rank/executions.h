// How often functions are executed after a commit, when their callers call them otherwise.
#pragma once

#include "analysis/rank/propagation.h"

#include <vector>

namespace dragnet::rank {

/// By function: as often as before, and as much more as its callers call it more often now or are
/// executed more often themselves; never less than 0. Only what changes is followed, so that a
/// recursion which stays as it was stays as deep. More calls in a recursion go on as often as the
/// frequencies say; where these have no end, not beyond the function that is called.
std::vector<double> executions_after(const ChangeGraph& graph);

} // namespace dragnet::rank
