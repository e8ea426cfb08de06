// Runs a job under the monitor: what it reads, writes, sends, receives, opens, syncs and allocates,
// by complete stacks and files, its threads and descendants included.
#pragma once

#include "base/result.h"
#include "model/stacks.h"
#include "profile/tally.h"
#include "run/executor.h"
#include "run/job.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::profile {

enum class Allocations : std::uint8_t { Left, Counted };

struct Monitored {
  StackProfile profile;
  run::Finished finished;
  std::vector<std::string> gaps; ///< system calls in the C library that could not be watched
  std::uint64_t cut = 0;         ///< stacks that do not lead to where their thread began
};

/// The job with the monitor in all its programs, which leaves stacks files in the folder `into`,
/// and in the folder above what it found in the C library, for the next run. Fails where a part of
/// Dragnet is missing.
Result<run::Job> under_monitor(run::Job job, const std::filesystem::path& into,
                               Allocations allocations);

/// Carries a job out under the monitor; `scratch` is an existing folder. How the job ended is an
/// answer. What the kernel accounted has the metrics of the profile, for bytes, and "written calls"
/// and "read calls"; it includes programs that the monitor cannot watch.
Result<Monitored> monitor_stacks(run::Executor& executor, const run::Job& job,
                                 const std::filesystem::path& scratch, Allocations allocations,
                                 const Tables& tables);

} // namespace dragnet::profile
