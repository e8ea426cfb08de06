#include "lab/tracing.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/function_name.h"
#include "base/result.h"
#include "base/units.h"
#include "lab/laboratory.h"
#include "lab/outcome.h"
#include "lab/profiling.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/benchmark.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "profile/call_files.h"
#include "profile/call_tracer.h"
#include "profile/emulator.h"
#include "profile/tally.h"
#include "run/executor.h"
#include "run/job.h"

#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace fs = std::filesystem;
namespace {

bool is_named(const std::string& name, const std::string& wanted) {
  if (name == wanted)
    return true;
  const std::string plain = demangled(name);
  return plain == wanted || plain.starts_with(wanted + "(") || short_name(name) == wanted;
}

// Where the code of a function lies in a binary's file.
std::uint64_t file_offset(const FunctionTable& table, const Function& function) {
  for (const CodeSegment& segment : table.segments)
    if (function.address >= segment.address && function.address - segment.address < segment.size)
      return segment.file_offset + (function.address - segment.address);
  return 0;
}

Result<profile::Boundary> boundary_named(const std::string& wanted, const fs::path& build,
                                         std::span<const FunctionTable> tables) {
  if (wanted.empty())
    return profile::Boundary();
  for (const FunctionTable& table : tables)
    for (const Function& function : table.functions)
      if (is_named(function.name, wanted)) {
        std::error_code problem;
        return profile::Boundary{fs::canonical(build / table.binary, problem),
                                 file_offset(table, function)};
      }
  return Error{fmt::format("there is no function '{}' to end executions", wanted),
               "name one that the program has, as its source does, or leave it out: then each "
               "process is an execution"};
}

std::vector<FunctionId> ids_of(const profile::TracedProcess& process,
                               const profile::Tables& tables) {
  std::vector<FunctionId> ids;
  for (const auto& function : process.functions) {
    const auto table = tables.find(function.path);
    const auto place = profile::place_in_file(table == tables.end() ? nullptr : table->second,
                                              function.file_offset);
    if (place.function != nullptr)
      ids.push_back({place.table->binary, place.function->name});
    else
      ids.push_back({function.path, fmt::format("0x{:x}", function.file_offset)});
  }
  return ids;
}

// Programs are slower inside the emulator, and need not be in time.
Result<run::Job> inside_clock(run::Job job, const Trial& trial) {
  constexpr int patience = 100;
  if (!profile::has_emulator())
    return Error{"there is no qemu-x86_64 to count instructions", "install qemu-user"};
  std::error_code problem;
  job.limit = Seconds(patience * trial.benchmark.limit.count());
  return profile::inside_instruction_clock(std::move(job),
                                           fs::canonical(trial.build_folder, problem).string());
}

Result<TracedRun> trace_once(run::Executor& executor, const State& state, const Trial& trial,
                             std::span<const FunctionTable> tables, const Tracing& tracing) {
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  TracedRun traced{.run = {},
                   .folder = TRY(ScratchFolder::make(state.scratch())),
                   .processes = {},
                   .functions = {}};
  if (auto unprepared = TRY(prepare(executor, trial, scratch))) {
    traced.run = std::move(*unprepared);
    return traced;
  }
  const auto boundary = TRY(boundary_named(tracing.boundary, trial.build_folder, tables));
  auto job = TRY(profile::under_call_tracer(profiled_job(trial, scratch), traced.folder.path(),
                                            tracing.noted, boundary));
  if (tracing.clock == Clock::Instructions)
    job = TRY(inside_clock(std::move(job), trial));
  traced.run.started = milliseconds_since_1970();
  note_ending(TRY(executor.carry_out(job)), traced.run);
  if (!traced.run.finished())
    return traced;
  traced.run.log.clear();
  traced.processes = TRY(profile::read_calls(traced.folder.path()));
  if (traced.processes.empty())
    return Error{
        fmt::format("nothing of {} was traced: no hooks were called", trial.benchmark.name),
        "the build command must find its compilers on PATH or in CC and CXX, and the "
        "program must not be linked statically"};
  const auto paths = by_path(trial.build_folder, tables);
  for (const auto& process : traced.processes)
    traced.functions.push_back(ids_of(process, paths));
  return traced;
}

} // namespace

Result<TracedRun> trace(Laboratory& laboratory, const Build& build, const Benchmark& benchmark,
                        std::span<const FunctionTable> tables, const Tracing& tracing) {
  return TRY_WHILE(fmt::format("cannot trace {} on {}", benchmark.name, build.commit.id.brief()),
                   trace_once(laboratory.executor(), laboratory.state(),
                              {laboratory.project(), benchmark, build.folder, Method::Timed, {}},
                              tables, tracing));
}

} // namespace dragnet::lab
