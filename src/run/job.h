// What an executor is asked to start, and how that ended.
#pragma once

#include "base/units.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::run {

/// An event that the kernel counts in a process and all its descendants, by the numbers of
/// perf_event_attr.
struct Counter {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
};

struct Job {
  std::vector<std::string> words;     ///< the program and its arguments
  std::vector<std::string> variables; ///< NAME=value: all that it sees of an environment
  std::filesystem::path folder;
  std::filesystem::path input;  ///< standard input; empty for none
  Seconds limit{0};             ///< 0: none
  std::vector<int> cores;       ///< that it may use; empty for any
  bool fixed_addresses = false; ///< address space randomisation off
  std::optional<Counter> counter;
  std::size_t log_limit = 65536;
};

enum class Ending { Exited, Signalled, TimedOut, NotStarted };

/// What a job used, its descendants included.
struct Finished {
  Ending ending = Ending::Exited;
  int status = 0; ///< exit status, signal, or errno
  double wall_seconds = 0;
  double user_seconds = 0;
  double system_seconds = 0;
  double peak_bytes = 0;
  double page_faults = 0;
  double context_switches = 0;
  struct Transfers {
    double bytes_read = 0;
    double bytes_written = 0;
    double reads = 0;
    double writes = 0;
  };
  std::optional<Transfers> transfers; ///< absent where the kernel does not account them
  std::optional<double> counted;      ///< absent where the counter could not be opened
  std::size_t lingering = 0;          ///< processes that outlived it and were ended
  std::string log;
  double printed_bytes = 0;
};

} // namespace dragnet::run
