#include "lab/profiling.h"
#include "base/files.h"
#include "base/result.h"
#include "base/units.h"
#include "binary/identity.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/function.h"
#include "model/profile.h"
#include "profile/profiler.h"
#include "profile/tally.h"
#include "run/executor.h"

#include <filesystem>
#include <fmt/core.h>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace dragnet::lab {
namespace {

// Counting is slow: a benchmark gets this many times its limit before it is sampled instead.
constexpr double patience = 20;

} // namespace

profile::Tables by_path(const std::filesystem::path& build, std::span<const FunctionTable> tables) {
  profile::Tables paths;
  for (const FunctionTable& table : tables) {
    std::error_code problem;
    const auto real = std::filesystem::canonical(build / table.binary, problem);
    if (!problem)
      paths.emplace(real.string(), &table);
  }
  return paths;
}

Result<Profile> take_profile(run::Executor& executor, const State& state, const Trial& trial,
                             std::span<const FunctionTable> tables) {
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  const auto counts = TRY(ScratchFolder::make(state.scratch()));
  const profile::Question question{.job = profiled_job(trial, scratch),
                                   .build = trial.build_folder,
                                   .scratch = counts.path(),
                                   .limit = Seconds(patience * trial.benchmark.limit.count()),
                                   .prepare = [&] { return renew(executor, trial, scratch); }};
  return TRY_WHILE(fmt::format("cannot profile {}", trial.benchmark.name),
                   profile::profile(executor, question, by_path(trial.build_folder, tables),
                                    binary::identity_of));
}

std::vector<std::string> changed_libraries(const Profile& profile) {
  std::vector<std::string> changed;
  for (const ForeignLibrary& library : profile.libraries)
    if (!library.path.empty() && binary::identity_of(library.path) != library.identity)
      changed.push_back(library.path);
  return changed;
}

} // namespace dragnet::lab
