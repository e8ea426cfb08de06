// Looks for the commit that made a benchmark slower: along the first-parent line between two
// commits, and then, where that names a merge, in the branch that it merged.
#pragma once

#include "analysis/bisect/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/bisection.h"
#include "lab/laboratory.h"
#include "model/commit.h"

#include <cstdint>
#include <vector>

namespace dragnet::check {

struct CulpritRequest {
  Commit good;
  Commit bad;
  BisectionRequest how; ///< all but commits and prior
};

/// The finding of the line from good to bad; then, where a merge is named, those of the branches
/// that it merged, the last one being the one that tells most. An Error where good is not an
/// ancestor of bad, or an end is of no use.
Result<std::vector<bisect::Finding>>
find_culprit(lab::Laboratory& laboratory, const CulpritRequest& request, Progress& progress);

/// How a commit compares with the ends of a search.
enum class Likeness : std::uint8_t { Good, Bad, Unknown };

/// Whether a commit is like the good or like the bad end. Unknown where it cannot be built or
/// measured, or the budget is spent; an Error where the ends are alike.
Result<Likeness> compare_with_ends(lab::Laboratory& laboratory, const CulpritRequest& request,
                                   const Commit& commit, Progress& progress);

} // namespace dragnet::check
