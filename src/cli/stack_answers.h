// What `dragnet explain` is asked, and its answers: about two or more commits, about one, and along
// a range.
#pragma once

#include "analysis/explain/similarity.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/stacks.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "report/explanation.h"
#include "report/stack_export.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::cli {

struct StackRequest {
  std::vector<std::string> benchmarks; ///< as the user names them; all when empty
  check::Watching watching;
  explain::Yardstick yardstick = explain::Yardstick::Tested;
  std::size_t most = 10; ///< entries of a list in a run report
  bool page = false;     ///< whether a page is made, too
};

struct StackAnswer {
  Commit commit; ///< that it is about; of a range the newest
  report::Explanation explanation;
  std::vector<report::StackExport> exports; ///< one for each benchmark and metric
  report::Explanation page;                 ///< with all that a page leads to; empty unless wanted
};

/// A commit against one or several others.
Result<StackAnswer> compare_commits(lab::Laboratory& lab, const std::vector<Commit>& bases,
                                    const Commit& commit, const StackRequest& request,
                                    Progress& progress);

/// What the benchmarks of one commit do.
Result<StackAnswer> describe_commit(lab::Laboratory& lab, const Commit& commit,
                                    const StackRequest& request, Progress& progress);

/// The totals of commits, oldest first, and what changed at each.
Result<StackAnswer> follow_commits(lab::Laboratory& lab, const std::vector<Commit>& commits,
                                   const StackRequest& request, Progress& progress);

/// 2 where a run did not finish, else 3 where the runs are too few to tell, else 0.
int exit_status(const report::Explanation& explanation);

} // namespace dragnet::cli
