// The full trace of a process: the events of its threads, in the order of time
// (runtime/calls_format.h).
#pragma once

#include "base/result.h"
#include "model/trace.h"
#include "profile/mapped_file.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

/// Takes events of one thread that follow each other, and the thread's number, from 0.
using TakeEvents = std::function<void(std::size_t thread, std::span<const TraceEvent> events)>;

/// Shows the events of all threads: of one thread in their order, of different threads by time.
void each_by_time(std::span<const std::span<const TraceEvent>> threads, const TakeEvents& take);

class ProcessTrace {
public:
  /// Of the process whose calls file has this name. Fails where a file cannot be read.
  static Result<ProcessTrace> open(const std::filesystem::path& folder, const std::string& name);

  /// Of each thread, or of threads one after the other.
  std::span<const std::span<const TraceEvent>> threads() const { return threads_; }

private:
  std::vector<MappedFile> files_;
  std::vector<std::span<const TraceEvent>> threads_;
};

/// The events in a file's content: up to the first zeros.
std::span<const TraceEvent> events_in(std::span<const std::byte> content);

} // namespace dragnet::profile
