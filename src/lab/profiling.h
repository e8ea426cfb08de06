// Takes the profile of a benchmark on a build.
#pragma once

#include "base/result.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/function.h"
#include "model/profile.h"
#include "profile/tally.h"
#include "run/executor.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace dragnet::lab {

/// Runs a trial once under a profiler. `tables`: of the build's binaries. That the benchmark fails
/// or executes nothing of the build is an Error.
Result<Profile> take_profile(run::Executor& executor, const State& state, const Trial& trial,
                             std::span<const FunctionTable> tables);

/// Function tables by the real paths of their binaries in a build.
profile::Tables by_path(const std::filesystem::path& build, std::span<const FunctionTable> tables);

/// The libraries outside the build that a profile names and whose content is another now.
std::vector<std::string> changed_libraries(const Profile& profile);

} // namespace dragnet::lab
