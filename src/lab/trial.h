// One run of a benchmark on a build: the job that is started for it, and its outcome as samples.
#pragma once

#include "base/result.h"
#include "lab/state.h"
#include "model/benchmark.h"
#include "model/run.h"
#include "project/project.h"
#include "run/executor.h"

#include <optional>
#include <string>
#include <vector>

namespace dragnet::lab {

/// What one run needs to know.
struct Trial {
  const project::Project& project;
  const Benchmark& benchmark;
  std::string build_folder;
  Method method = Method::Timed;
  std::optional<run::Counter> instruction_counter;
};

/// Carries a trial out. That the benchmark fails, crashes or takes too long is an outcome; an Error
/// means that nothing can be run here, or that the user interrupted.
Result<Run> carry_out(run::Executor& executor, const State& state, const Trial& trial);

/// The names of the cases in a suite's binary.
Result<std::vector<std::string>> list_cases(run::Executor& executor, const State& state,
                                            const Trial& trial);

} // namespace dragnet::lab
