// What counters of Clang say that a run executed.
#pragma once

#include "base/result.h"
#include "facts/counts.h"

#include <filesystem>
#include <vector>

namespace dragnet::source {

/// The functions that a run of a program built with -fprofile-instr-generate and -fcoverage-mapping
/// executed, from the raw files that it wrote and the programs and libraries of its build.
Result<std::vector<facts::CountedFunction>>
read_counters(const std::vector<std::filesystem::path>& raw_files,
              const std::vector<std::filesystem::path>& binaries,
              const std::filesystem::path& root);

} // namespace dragnet::source
