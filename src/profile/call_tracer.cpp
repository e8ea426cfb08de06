#include "profile/call_tracer.h"

#include "base/process.h"
#include "base/result.h"
#include "profile/variables.h"
#include "run/job.h"
#include "runtime/calls_format.h"

#include <filesystem>
#include <fmt/core.h>

namespace dragnet::profile {

Result<run::Job> under_call_tracer(run::Job job, const std::filesystem::path& into, Noted noted,
                                   const Boundary& boundary) {
  const auto library = TRY(helper_program("dragnet-calls.so"));
  preload(job.variables, library.string());
  set_variable(job.variables, DRAGNET_CALLS_INTO, into.string());
  set_variable(job.variables, DRAGNET_CALLS_MODE, noted == Noted::Costs ? "timed" : "trace");
  if (!boundary.file.empty())
    set_variable(job.variables, DRAGNET_CALLS_BOUNDARY,
                 fmt::format("{:x}:{}", boundary.file_offset, boundary.file.string()));
  return job;
}

} // namespace dragnet::profile
