// Runs a job under the monitor: what it reads, writes, sends, receives, opens, syncs and allocates,
// by complete stacks and files, its threads and descendants included.
#pragma once

#include "base/result.h"
#include "binary/open_code.h"
#include "model/stacks.h"
#include "profile/tally.h"
#include "run/executor.h"
#include "run/job.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dragnet::profile {

enum class Allocations : std::uint8_t { Left, Counted };

/// How a job is watched: by a library inside of its programs, by the kernel, or by stopping it at
/// its system calls. Automatically: inside, and where that misses a program or calls, once more
/// from outside.
enum class Way : std::uint8_t { Auto, Inside, Kernel, Stopped };

struct Monitoring {
  Allocations allocations = Allocations::Left;
  Way way = Way::Auto;
  /// Makes everything as it was before the job, which may have to run once more; none where a job
  /// leaves nothing behind that matters to it.
  std::function<Result<>()> renew = nullptr;
  binary::OpenCode* code = nullptr; ///< keeps what is read of programs for the next run
};

struct Monitored {
  StackProfile profile;
  run::Finished finished;
  std::vector<std::string> sites;   ///< calls inside of the C library that are not watched
  std::vector<std::string> gaps;    ///< what else could not be watched, as sentences
  std::uint64_t cut = 0;            ///< stacks that do not lead to where their thread began
  Way way = Way::Inside;            ///< how it was watched in the end
  std::vector<std::string> reasons; ///< why in this way, where Dragnet chose another than inside
};

/// The job with the monitor in all its programs, which leaves stacks files in the folder `into`,
/// and in the folder above what it found in the C library, for the next run. Fails where a part of
/// Dragnet is missing.
Result<run::Job> under_monitor(run::Job job, const std::filesystem::path& into,
                               Allocations allocations);

/// The job watched from outside, by the kernel or by stops; stacks files are left in the folder
/// `into`. Fails where a part of Dragnet is missing.
Result<run::Job> under_tracer(run::Job job, const std::filesystem::path& into, Way way);

/// Carries a job out under the monitor; `scratch` is an existing folder. How the job ended is an
/// answer; a way that this machine does not allow is an Error. What the kernel accounted has the
/// metrics of the profile, for bytes, and "written calls" and "read calls"; it includes programs
/// that the monitor cannot watch. Allocations are only seen from inside.
Result<Monitored> monitor_stacks(run::Executor& executor, const run::Job& job,
                                 const std::filesystem::path& scratch, const Monitoring& how,
                                 const Tables& tables);

} // namespace dragnet::profile
