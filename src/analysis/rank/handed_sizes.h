// How much of what calls hand over to parameters a test says: sizes go from arguments to parameters
// and back.
#pragma once

#include "analysis/rank/loop_counts.h"
#include "analysis/structure/flow.h"

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::rank {

/// What is known in one test: how often each handing took place there, and sizes.
struct Handed {
  const structure::Flow& flow;
  std::span<const double> times; ///< by handing
};

/// The sizes of parameters from those of arguments, by how often each is handed over, and of
/// arguments from those of parameters: what is not known of them is as large as what is known
/// leaves. Until nothing is new.
LoopCounts sizes_both_ways(const Handed& handed, LoopCounts sizes);

/// The same from arguments to parameters only: parameters of another version.
LoopCounts sizes_of_parameters(const Handed& handed, LoopCounts sizes);

/// How many times larger each collection is where calls hand over so many times more: `grown` is by
/// handing.
std::vector<double> growth_of(const Handed& handed, std::span<const double> grown,
                              std::size_t collections);

} // namespace dragnet::rank
