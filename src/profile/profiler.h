// Profiles a benchmark's command: what its programs of the build executed and called.
#pragma once

#include "base/result.h"
#include "base/units.h"
#include "model/profile.h"
#include "profile/tally.h"
#include "run/executor.h"
#include "run/job.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dragnet::profile {

struct Question {
  run::Job job;                ///< the benchmark as it is measured; its limit is for one plain run
  std::filesystem::path build; ///< the folder of the build, whose programs are counted
  std::filesystem::path scratch; ///< an existing folder for what the profilers write
  Seconds limit{0};              ///< for a run that counts; longer ones are sampled; 0: none
  /// Makes ready for a run, so that none sees what another left; nothing where none writes.
  std::function<Result<>()> prepare = nullptr;
};

/// The profile of a benchmark. Counts inside the emulator; inside valgrind where the emulator is
/// missing or the benchmark ends in another way there; samples where counting takes too long. Fails
/// when the benchmark itself fails, or executes nothing of the build.
Result<Profile> profile(run::Executor& executor, const Question& question, const Tables& tables,
                        const Identify& identify);

} // namespace dragnet::profile
