// In which order do I run the tests? Those that a commit is estimated to change most come first.
// docs/analyses/rank.md explains the estimate.
#pragma once

#include "analysis/rank/estimate.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <span>
#include <vector>

namespace dragnet::rank {

/// For each test what a run of its program executes without it, which is no part of its cost;
/// nullptr where all is its own. None at all: nothing is taken away.
using Starts = std::vector<const SourceProfile*>;

/// The tests by relative change of cost, faster or slower alike. Those that reach nothing that the
/// commit changed come last; equal ones in the order of the profiles. A baseline only orders them.
std::vector<Estimate> ranked(const structure::Program& program,
                             std::span<const SourceProfile> profiles, Method method,
                             const LibraryCosts& library = {}, const Starts& starts = {});

} // namespace dragnet::rank
