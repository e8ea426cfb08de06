#include "lab/trial.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "formats/foreign_results.h"
#include "formats/google_benchmark.h"
#include "formats/test_suites.h"
#include "lab/counting.h"
#include "lab/definition.h"
#include "lab/outcome.h"
#include "lab/state.h"
#include "model/benchmark.h"
#include "model/run.h"
#include "run/executor.h"
#include "run/job.h"
#include "run/machine.h"

#include <cstddef>
#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

std::string result_file(const ScratchFolder& scratch) {
  return (scratch.path() / "dragnet-result.json").string();
}

// A sample is the mean over a case's iterations; short runs make more samples of the same time.
constexpr std::string_view short_time = " --benchmark_min_time=0.05";

std::string command_line(const Benchmark& benchmark, const ScratchFolder& scratch) {
  if (benchmark.suite == Suite::None)
    return benchmark.command;
  if (!measures_itself(benchmark.suite))
    return formats::case_command(benchmark.suite, benchmark.command, benchmark.suite_case);
  return fmt::format("{}{} --benchmark_filter={} --benchmark_out={} --benchmark_out_format=json",
                     benchmark.command,
                     benchmark.command.contains("--benchmark_min_time") ? "" : short_time,
                     shell_quoted(formats::google_benchmark_filter(benchmark.suite_case)),
                     shell_quoted(result_file(scratch)));
}

run::Job job_for(const Trial& trial, const ScratchFolder& scratch, std::string command) {
  run::Job job;
  job.words = {"/bin/sh", "-c", std::move(command)};
  job.variables = run_environment(trial.project, trial.benchmark);
  job.variables.push_back("DRAGNET_BUILD=" + trial.build_folder);
  job.variables.push_back("DRAGNET_TMP=" + scratch.path().string());
  job.folder = trial.project.root;
  job.limit = trial.benchmark.limit;
  job.cores = trial.core ? std::vector{*trial.core} : run::measuring_cores(trial.benchmark.cores);
  job.fixed_addresses = true;
  return job;
}

void fail(Run& run, const std::string& why) {
  run.outcome = RunOutcome::Failed;
  run.samples.clear();
  run.log = why + "\n" + run.log;
}

// The values that the suite itself measured replace the process's: those cover its own start and
// search for a length.
void take_suite_results(const Benchmark& benchmark, const ScratchFolder& scratch, Run& run) {
  run.samples.clear();
  const auto text = read_file(result_file(scratch));
  const auto results =
      text ? formats::read_google_benchmark(*text) : Result<formats::ForeignResults>(text.error());
  if (!results) {
    fail(run, "its results cannot be read: " + results.error().what);
    return;
  }
  for (const auto& found : results->runs)
    if (found.benchmark == benchmark.suite_case)
      run.samples = found.samples;
  if (run.samples.empty())
    fail(run, fmt::format("it reported nothing for the case '{}'", benchmark.suite_case));
}

// Left-over output of a run that went well is of no use and would fill the store.
void note_samples(const Trial& trial, const run::Finished& finished, const ScratchFolder& scratch,
                  Run& run) {
  run.samples = accounted(finished);
  if (measures_itself(trial.benchmark.suite))
    take_suite_results(trial.benchmark, scratch, run);
  if (run.finished())
    run.log.clear();
}

} // namespace

run::Job profiled_job(const Trial& trial, const ScratchFolder& scratch) {
  std::string command = command_line(trial.benchmark, scratch);
  if (measures_itself(trial.benchmark.suite))
    command += " --benchmark_min_time=0";
  return job_for(trial, scratch, std::move(command));
}

// The prepare command's failure is the run's failure: what would be measured is not what was meant.
Result<std::optional<Run>> prepare(run::Executor& executor, const Trial& trial,
                                   const ScratchFolder& scratch) {
  if (trial.benchmark.prepare.empty())
    return std::optional<Run>();
  const auto finished = TRY(executor.carry_out(job_for(trial, scratch, trial.benchmark.prepare)));
  Run run;
  run.started = milliseconds_since_1970();
  note_ending(finished, run);
  if (run.finished())
    return std::optional<Run>();
  run.log = "its prepare command failed\n" + run.log;
  return std::optional(std::move(run));
}

Result<> renew(run::Executor& executor, const Trial& trial, const ScratchFolder& scratch) {
  TRY(scratch.clear());
  if (const auto unprepared = TRY(prepare(executor, trial, scratch)))
    return Error{std::string(trim(unprepared->log)), {}};
  return success();
}

Result<Run> carry_out(run::Executor& executor, const State& state, const Trial& trial) {
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  if (auto unprepared = TRY(prepare(executor, trial, scratch)))
    return std::move(*unprepared);
  run::Job job = job_for(trial, scratch, command_line(trial.benchmark, scratch));
  if (trial.method == Method::Timed)
    job.counter = trial.instruction_counter;
  Run run;
  run.started = milliseconds_since_1970();
  if (trial.method == Method::Counted)
    return count_instructions(executor, state, std::move(job), std::move(run));
  const auto finished = TRY(executor.carry_out(job));
  note_ending(finished, run);
  if (run.finished())
    note_samples(trial, finished, scratch, run);
  return run;
}

Result<std::vector<std::string>> list_cases(run::Executor& executor, const State& state,
                                            const Trial& trial) {
  constexpr std::size_t list_limit = std::size_t{4} * 1024 * 1024;
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  const std::string command =
      formats::listing_command(trial.benchmark.suite, trial.benchmark.command);
  run::Job job = job_for(trial, scratch, command);
  job.log_limit = list_limit;
  const auto finished = TRY(executor.carry_out(job));
  Run listing;
  note_ending(finished, listing);
  if (!listing.finished())
    return Error{fmt::format("cannot list the cases of the suite '{}': it {} with {}",
                             trial.benchmark.name, name(listing.outcome), listing.status),
                 fmt::format("try it by hand: DRAGNET_BUILD={} sh -c {}",
                             shell_quoted(trial.build_folder), shell_quoted(command))};
  return formats::parse_listing(trial.benchmark.suite, finished.log);
}

} // namespace dragnet::lab
