// Runs of a benchmark that were watched by stacks: what they did, and how they ended.
#pragma once

#include "model/commit.h"
#include "model/run.h"
#include "model/stacks.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dragnet::explain {

/// What one run did under a stack, or the mean of several.
struct RunUse {
  double calls = 0;
  double amount = 0;

  /// 0 where there was no call.
  double per_call() const { return calls > 0 ? amount / calls : 0; }
};

/// What of a use is looked at.
enum class Quantity : std::uint8_t { Amount, Calls };

/// A run that did not finish.
struct UnfinishedRun {
  CommitId commit;
  std::size_t number = 0; ///< from 1, on its commit
  RunOutcome outcome = RunOutcome::Failed;
  int status = 0; ///< the exit status, or the signal's number when it crashed
  double seconds = 0;
  std::string log; ///< what it printed
};

std::vector<UnfinishedRun> unfinished_runs(const WatchedCommit& commit);

/// The runs that finished, or all where none did: what a run did until it crashed is no evidence.
std::vector<const WatchedRun*> telling_runs(const WatchedCommit& commit);

/// What limits what runs tell, and how they were watched where not in the usual way, as sentences.
std::vector<std::string> watching_notes(std::span<const WatchedRun* const> runs);

/// One profile for several runs, with the mean of what they did; amounts are rounded, and what is
/// less than a half is gone.
StackProfile mean_profile(std::span<const WatchedRun* const> runs);

} // namespace dragnet::explain
