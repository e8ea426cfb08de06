// Which system calls of a command are stopped at: a filter of seccomp(2), which all its descendants
// inherit.
#pragma once

#include <cstdint>

namespace dragnet::tracer {

/// Why a call is stopped at.
enum class Stop : std::uint32_t {
  Counted = 1,    ///< what it does is counted
  Executes = 2,   ///< another program may be started
  MapsCode = 3,   ///< code may be loaded
  UsesQueues = 4, ///< transfers will be made without system calls: io_uring
};

enum class Counting : std::uint8_t { ByStops, Elsewhere };

/// Lets the kernel stop this process, and all that it starts, at calls of interest; 0, or an error
/// number. Where calls are counted elsewhere, they do not stop.
int install_filter(Counting counting);

} // namespace dragnet::tracer
