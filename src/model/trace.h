// The calls of a run in the order in which they happened: as events, and as what remains of them
// when only the first and the last event of each function in each execution are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet {

enum class EventKind : std::uint8_t {
  Time = 0,  ///< raises the part of the clock that events do not have
  Enter = 1, ///< a function begins
  Leave = 2, ///< a function ends, by its return or otherwise
  Cut = 3    ///< an execution ends, another begins
};

/// One event of a thread in 8 bytes, so that a hundred million of them fit in memory: the kind in
/// bits 0 and 1, the function's number in bits 2 to 23, the low 40 bits of the clock above. An
/// event of kind Time has in its upper 62 bits the clock's bits from 40 on.
struct TraceEvent {
  std::uint64_t word = 0;

  static constexpr unsigned function_bits = 22;
  static constexpr unsigned tick_shift = 24;
  static constexpr unsigned tick_bits = 40;
  static constexpr std::uint64_t tick_mask = (std::uint64_t{1} << tick_bits) - 1;
  static constexpr std::uint32_t function_mask = (1U << function_bits) - 1;

  static constexpr TraceEvent make(EventKind kind, std::uint32_t function, std::uint64_t time) {
    return {(time << tick_shift) | (std::uint64_t{function & function_mask} << 2) |
            static_cast<std::uint64_t>(kind)};
  }
  /// Needed before the first event after `time` has crossed a multiple of 2^40.
  static constexpr TraceEvent make_time(std::uint64_t time) { return {(time >> tick_bits) << 2}; }

  constexpr EventKind kind() const { return static_cast<EventKind>(word & 3); }
  constexpr std::uint32_t function() const {
    return static_cast<std::uint32_t>(word >> 2) & function_mask;
  }
  constexpr std::uint64_t ticks() const { return word >> tick_shift; }
  constexpr std::uint64_t high_ticks() const { return (word >> 2) << tick_bits; }
};
static_assert(sizeof(TraceEvent) == 8);

/// Whether the threads of a process share an execution, or each has executions of its own.
enum class ExecutionScope : std::uint8_t { Process, Thread };

/// What an execution did in one function. Moments are numbers that grow as time passes; only their
/// order means anything, and only within the execution.
struct FunctionSpan {
  std::uint32_t function = 0;
  std::uint64_t first = 0; ///< when it was entered first
  std::uint64_t last = 0;  ///< when it was entered or left last; of one that never ended, the end
};

/// The functions of one execution, each once, in any order.
using Execution = std::vector<FunctionSpan>;

} // namespace dragnet
