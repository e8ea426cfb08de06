// What functions that a commit adds were made from: an old function of the same name that takes
// something else, or a piece of one that calls them now.
#pragma once

#include "analysis/structure/program.h"

#include <vector>

namespace dragnet::structure {

/// For each function that the commit adds and whose predecessor is found, that. The fates and
/// targets of all functions are known, and their blocks are matched.
void find_predecessors(std::vector<ProgramFunction>& functions);

} // namespace dragnet::structure
