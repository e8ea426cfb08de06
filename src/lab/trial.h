// One run of a benchmark on a build: the job that is started for it, and its outcome as samples.
#pragma once

#include "base/files.h"
#include "base/result.h"
#include "lab/state.h"
#include "model/benchmark.h"
#include "model/run.h"
#include "project/project.h"
#include "run/executor.h"
#include "run/job.h"

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
  std::optional<run::Counter> instruction_counter = std::nullopt;
  std::optional<int> core =
      std::nullopt; ///< the one that it is kept to; otherwise as many as it may use
};

/// Carries a trial out. That the benchmark fails, crashes or takes too long is an outcome; an Error
/// means that nothing can be run here, or that the user interrupted.
Result<Run> carry_out(run::Executor& executor, const State& state, const Trial& trial);

/// The job that profiles a trial: as it is measured, but a suite's case runs once only, so that two
/// profiles are alike.
run::Job profiled_job(const Trial& trial, const ScratchFolder& scratch);

/// Runs the prepare command of a trial, if it has one; the Run is there if that failed.
Result<std::optional<Run>> prepare(run::Executor& executor, const Trial& trial,
                                   const ScratchFolder& scratch);

/// Makes the scratch folder as it is before a run, although something ran in it already.
Result<> renew(run::Executor& executor, const Trial& trial, const ScratchFolder& scratch);

/// The names of the cases in a suite's binary.
Result<std::vector<std::string>> list_cases(run::Executor& executor, const State& state,
                                            const Trial& trial);

} // namespace dragnet::lab
