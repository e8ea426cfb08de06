// A job under the library that notes the calls of programs that are built with hooks.
#pragma once

#include "base/result.h"
#include "run/job.h"

#include <cstdint>
#include <filesystem>

namespace dragnet::profile {

/// What to note of calls.
enum class Noted : std::uint8_t {
  Costs, ///< how many, first and last events, and costs of functions
  Events ///< all that, and every event
};

/// The function whose return ends an execution, by where it lies.
struct Boundary {
  std::filesystem::path file; ///< empty: none
  std::uint64_t file_offset = 0;
};

/// The job with the library loaded, which leaves its files in a folder.
Result<run::Job> under_call_tracer(run::Job job, const std::filesystem::path& into, Noted noted,
                                   const Boundary& boundary);

} // namespace dragnet::profile
