// What dragnet and dragnet-starter say to each other over a stream socket, both on one machine.
//
// A request is a Request, then `text_size` bytes of texts, each ended by a zero byte: `word_count`
// words of the command, `variable_count` entries NAME=value, the working folder, and the file for
// standard input. The answer is a Report, then `log_size` bytes of what the command printed. A
// single byte sent while a command runs asks to end it; so does closing the socket.
#pragma once

#include <cstdint>

namespace dragnet::starter {

/// The socket's number in dragnet-starter.
constexpr int socket_number = 3;

/// No event is counted.
constexpr std::uint32_t no_counter = 0xffffffff;

/// How many cores the mask of a Request can name.
constexpr unsigned core_limit = 1024;

struct Request {
  std::uint32_t text_size = 0;
  std::uint32_t word_count = 0;
  std::uint32_t variable_count = 0;
  std::uint32_t fixed_addresses = 0;       ///< 1: address space randomisation off
  std::uint32_t log_limit = 0;             ///< bytes of output to keep; the middle is left out
  std::uint32_t counter_type = no_counter; ///< as in perf_event_attr
  std::uint64_t counter_config = 0;
  std::uint64_t limit_nanoseconds = 0;       ///< 0: none
  std::uint64_t cores[core_limit / 64] = {}; ///< a bit per core that may be used; all zero: any
};

enum class Ending : std::uint32_t { Exited, Signalled, TimedOut, NotStarted, Cancelled };

struct Report {
  Ending ending = Ending::Exited;
  std::int32_t status = 0;     ///< exit status, signal, or errno when it was not started
  std::uint32_t lingering = 0; ///< processes that outlived the command and were ended
  std::uint32_t counted_valid = 0;
  std::uint64_t counted = 0;
  std::uint64_t wall_nanoseconds = 0;
  std::uint64_t user_nanoseconds = 0;
  std::uint64_t system_nanoseconds = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t page_faults = 0;
  std::uint64_t context_switches = 0;
  std::uint64_t io_valid = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t printed_bytes = 0; ///< all that the command printed, kept or not
  std::uint64_t log_size = 0;
};

} // namespace dragnet::starter
