// Which functions call each other in cycles.
#pragma once

#include "analysis/structure/blocks.h"

#include <vector>

namespace dragnet::rank {

/// By function, those that it calls.
using Callees = std::vector<std::vector<structure::FunctionNumber>>;

/// The strongly connected components of a call graph, callees before callers; a function that is in
/// no cycle is one of its own.
std::vector<std::vector<structure::FunctionNumber>> components(const Callees& callees);

} // namespace dragnet::rank
