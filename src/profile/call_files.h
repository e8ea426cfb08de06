// What the tracer left of processes, read from their calls files (runtime/calls_format.h).
#pragma once

#include "base/result.h"
#include "model/trace.h"
#include "runtime/calls_format.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

/// A function by where its code begins in a file; of code that was made at run time, the path is
/// empty and the offset its address.
struct TracedFunction {
  std::string path;
  std::uint64_t file_offset = 0;
};

/// What one function did in all executions together.
struct TracedCosts {
  std::uint64_t calls = 0;
  std::uint64_t cost = 0; ///< of its own, ticks or instructions; 0 where only the order was traced
};

struct TracedProcess {
  dragnet_calls_header header{};
  std::string name; ///< of the file
  /// By number; the first stands for what is no function. The same function may have two numbers if
  /// its library was unloaded in between.
  std::vector<TracedFunction> functions;
  std::vector<TracedCosts> costs; ///< by number
  std::vector<Execution> executions;

  /// Executions are each thread's own where the program said where they end.
  ExecutionScope scope() const {
    return header.cuts == 0 ? ExecutionScope::Process : ExecutionScope::Thread;
  }
};

/// The content of a calls file, and of the files of ended executions beside it. Fails where one is
/// damaged or cut.
Result<TracedProcess> parse_calls(std::span<const std::byte> calls,
                                  std::span<const std::span<const std::byte>> ended);

/// All processes whose files are in a folder, by name.
Result<std::vector<TracedProcess>> read_calls(const std::filesystem::path& folder);

} // namespace dragnet::profile
