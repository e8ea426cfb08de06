// Traced runs of builds with hooks (lab/stand_ins.h), and the library that notes what the hooks
// tell.
#pragma once

#include "base/files.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "profile/call_files.h"
#include "profile/call_tracer.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dragnet::lab {

/// What costs are counted in.
enum class Clock : std::uint8_t {
  Time,        ///< ticks of the processor's clock
  Instructions ///< inside an emulator; the same in every run, but nothing waits there
};

struct Tracing {
  profile::Noted noted = profile::Noted::Costs;
  Clock clock = Clock::Time;
  std::string boundary; ///< the function whose return ends an execution; empty: the process's end
};

struct TracedRun {
  Run run;
  ScratchFolder folder; ///< with the files of the processes
  std::vector<profile::TracedProcess> processes;
  std::vector<std::vector<FunctionId>> functions; ///< of each process, by number
};

/// Traces a run of a benchmark on a traced build. `tables`: of the build's binaries. That the
/// benchmark fails or crashes is an outcome; that nothing was traced although it went well, or that
/// there is no such boundary, is an Error. Keeps nothing.
Result<TracedRun> trace(Laboratory& laboratory, const Build& build, const Benchmark& benchmark,
                        std::span<const FunctionTable> tables, const Tracing& tracing);

} // namespace dragnet::lab
