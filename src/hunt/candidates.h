// The functions that differ between two versions, as suspects, with their source.
#pragma once

#include "analysis/blame/answer.h"
#include "base/result.h"
#include "history/repository.h"
#include "hunt/gathered_trace.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"

#include <map>
#include <vector>

namespace dragnet::hunt {

struct Candidates {
  std::vector<blame::Suspect> suspects;         ///< without blame and commits
  std::map<FunctionId, FunctionChange> changes; ///< of each suspect
  Renamed renamed;
};

/// New, changed and edited functions of two traced builds. One whose own source is as before and
/// that only holds inlined code of others that changed is left out where those are suspects.
Result<Candidates> find_candidates(const lab::Laboratory& laboratory, const Build& old_build,
                                   const Build& new_build);

/// The commits between both that touched the lines of a suspect's hunk, newest first; none where
/// git cannot tell.
std::vector<Commit> commits_at(const history::Repository& repository, const Commit& old_commit,
                               const Commit& new_commit, const blame::Suspect& suspect);

} // namespace dragnet::hunt
