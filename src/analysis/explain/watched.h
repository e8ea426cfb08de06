// Runs of a benchmark that were watched by stacks: what they did, and how they ended.
#pragma once

#include "model/commit.h"
#include "model/run.h"
#include "model/stacks.h"

#include <vector>

namespace dragnet::explain {

struct WatchedRun {
  Run run;
  StackProfile profile;
};

/// All runs of one benchmark on one commit.
struct WatchedCommit {
  Commit commit;
  std::vector<WatchedRun> runs;
};

/// What one run did under a stack, or the mean of several.
struct RunUse {
  double calls = 0;
  double amount = 0;

  /// 0 where there was no call.
  double per_call() const { return calls > 0 ? amount / calls : 0; }
};

} // namespace dragnet::explain
