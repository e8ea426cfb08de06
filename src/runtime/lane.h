// What a thread notes of its calls. A lane is a part of the calls file that one thread at a time
// writes to; the next thread goes on in the lane of one that has ended, because what they note of
// an execution is added up anyway.
#pragma once

#include "runtime/calls_file.h"
#include "runtime/calls_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The end of a file that grows, mapped.
struct window {
  char* at;
  char* end;
  char* start;
  uint64_t file_offset; // of `start`
};

struct lane {
  struct dragnet_lane_header* header;
  struct dragnet_calls_record* records;
  uint32_t* entered;
  uint64_t* places; // of the frames
  uint32_t* open;   // their functions' records
  uint32_t mode;
  uint32_t number;
  uint64_t high; // bits of the clock that the trace has told
  struct window trace;
  struct window ended;
};

// Where its parts are, without a look at the file's header: their capacities do not change.
static inline struct dragnet_calls_record* lane_record(struct dragnet_lane_header* lane,
                                                       uint64_t begin) {
  return (struct dragnet_calls_record*)((char*)lane + DRAGNET_CALLS_PAGE + begin);
}
static inline uint64_t* lane_places(struct dragnet_lane_header* lane) {
  const struct dragnet_calls_header sizes = {.function_capacity = calls_function_capacity};
  return (uint64_t*)((char*)lane + dragnet_lane_stack_at(&sizes));
}
static inline uint32_t* lane_open(struct dragnet_lane_header* lane) {
  const struct dragnet_calls_header sizes = {.function_capacity = calls_function_capacity,
                                             .frame_capacity = calls_frame_capacity};
  return (uint32_t*)((char*)lane + dragnet_lane_open_at(&sizes));
}

/// The function of a frame.
static inline uint32_t lane_function(const struct lane* lane, uint32_t frame) {
  return lane->open[frame] / sizeof(struct dragnet_calls_record);
}

/// A lane for this thread; NULL when there is none left.
struct lane* lane_take(void);

/// Gives a lane back when its thread ends.
void lane_release(struct lane* lane);

/// A stack that was copied.
struct frames {
  uint64_t* places;
  uint32_t* open;
  uint32_t depth;
};

/// In a forked child: the lane of the only thread that is left, with the stack that it had.
void lane_go_on_in_child(struct lane* lane, const struct frames* frames);

/// Notes that a function is entered; its number, or 0 when there is no room.
uint32_t lane_enter_first(struct lane* lane, uint64_t address);

/// Notes that frames whose place in memory is below another have ended.
void lane_unwind(struct lane* lane, uint64_t place);

/// Notes that a function is left that is not the innermost, or is the boundary.
void lane_leave(struct lane* lane, uint64_t address);

/// Ends the execution, and begins another with what is on the stack.
void lane_cut(struct lane* lane);

/// Adds an event to the trace.
void lane_trace(struct lane* lane, uint32_t kind, uint32_t function, uint64_t now);

/// Puts the time since the last event down to the innermost function.
static inline void lane_charge(struct lane* lane, uint64_t now) {
  lane->records[lane_function(lane, lane->header->depth - 1)].cost += now - lane->header->time;
  lane->header->time = now;
}

/// Inside an emulator that counts instructions, their number; NULL elsewhere.
extern const volatile uint64_t* lane_counter;
/// There, in this thread: how many the library itself executed, and the clock without them. It
/// stands still while the library works.
extern _Thread_local uint64_t lane_skipped;
extern _Thread_local uint64_t lane_now;

static inline void lane_stop_clock(void) {
  if (__builtin_expect(lane_counter != NULL, 0))
    lane_now = *lane_counter - lane_skipped;
}
static inline void lane_start_clock(void) {
  if (__builtin_expect(lane_counter != NULL, 0))
    lane_skipped = *lane_counter - lane_now;
}

/// The clock: executed instructions where they are counted, else the processor's.
static inline uint64_t ticks_now(void) {
  if (lane_counter != NULL)
    return lane_now;
#if defined __x86_64__
  return __builtin_ia32_rdtsc();
#elif defined __aarch64__
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
#error "no clock is known for this processor"
#endif
}
