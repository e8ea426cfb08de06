// What dragnet-calls.so leaves behind and what it is told, for C and C++, on one machine.
// A process image keeps up to three kinds of files; P is the process, N tells its images apart:
// P-N.calls    Sparse and mapped: sound at any moment, also when the process is killed. A header of
//              DRAGNET_CALLS_PAGE bytes, then, each from a whole page on, module_capacity modules,
//              text_capacity bytes of their paths, function_capacity functions (number 0 is none),
//              and lane_capacity lanes. A lane belongs to one thread at a time: a page with its
//              header, a record for each function, the numbers of those entered in its execution,
//              and the stack: the places of its frames in memory, 8 bytes each, then where their
//              functions' records begin, in bytes from record 0, 4 bytes each. The first frame is
//              none. So a hook finds all it needs without a multiplication.
// P-N-L.ended  Executions of lane L that have ended: blocks of a header and `count` entries. Zeros
//              where a block should begin lead to the next whole page.
// P-N-L.trace  On request, the events of lane L in order, 8 bytes each, up to zeros or the end.
//              Bits 0 and 1: 1 a function is entered, 2 left, 3 an execution ends; 2 to 23: the
//              function; 24 to 63: the low 40 bits of the clock. With 0 in bits 0 and 1, those
//              from 2 on are the clock's bits from 40 on for what follows. A frame that an
//              exception or longjmp skipped is left when this is noticed.
// Inside an emulator with dragnet-clock.so the clock counts instructions, without the library's
// own. Moments are readings of a clock that all threads share. It goes on by one whenever a thread
// enters a function for the first time in an execution, and only then: which of two functions was
// entered first and what was left after that is all that impact sets ask for. `first` is the clock
// after the first entry, `last` when it was left last; what is on a stack lasts. So g did something
// after f was first entered exactly when `last` of g is not below `first` of f.
#pragma once

#include <stdint.h>

// NOLINTBEGIN(modernize-macro-to-enum, readability-identifier-naming): this is a header of C

// The folder for the files; without it the library does nothing.
#define DRAGNET_CALLS_INTO "DRAGNET_CALLS_INTO"
// "order" (without it too): calls, first and last events. "timed": cost too. "trace": all events.
#define DRAGNET_CALLS_MODE "DRAGNET_CALLS_MODE"
// The function whose return ends an execution: OFFSET:PATH, the offset in the file in hexadecimal.
#define DRAGNET_CALLS_BOUNDARY "DRAGNET_CALLS_BOUNDARY"

#define DRAGNET_CALLS_MAGIC 0x32736c6c61636764u // "dgcalls2"
#define DRAGNET_ENDED_MAGIC 0x31646e6564676e65u // "engdend1"
#define DRAGNET_CALLS_PAGE 4096u

enum dragnet_calls_mode { DRAGNET_ORDER = 0, DRAGNET_TIMED = 1, DRAGNET_TRACE = 2 };

struct dragnet_calls_header {
  uint64_t magic;
  uint32_t process;
  uint32_t parent;
  uint32_t mode;
  uint32_t forked; // 1: a child that goes on in its parent's image
  uint32_t module_capacity;
  uint32_t module_count;
  uint32_t text_capacity;
  uint32_t text_count;
  uint32_t function_capacity;
  uint32_t function_count; // with number 0
  uint32_t lane_capacity;
  uint32_t lane_count;     // that were ever used
  uint32_t frame_capacity; // of a lane
  uint32_t boundary;       // the number of the boundary function, once it was entered
  uint32_t cuts;           // executions that were ended; 0: all threads share one
  uint32_t clock;
  uint64_t lost;    // events that found no room or came while the library was at work
  uint64_t counted; // 1: the clock of costs and events counts instructions
};

struct dragnet_calls_module {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset; // of `start`
  uint32_t text_at;     // its path
  uint32_t text_size;
  uint64_t unloaded; // 1: something else may lie there now
};

struct dragnet_calls_function {
  uint64_t address;
  uint32_t module; // an index; module_capacity: none that is known
  uint32_t zero;
};

struct dragnet_lane_header {
  uint32_t thread;
  uint32_t taken; // 1: by a thread that has not ended
  uint32_t depth; // frames on the stack, with the first
  uint32_t entered_count;
  uint32_t execution; // its number in this lane, from 0
  uint32_t zero;
  uint64_t time; // up to which costs are put down
};

struct dragnet_calls_record {
  uint64_t address; // 0: not entered, or the boundary
  uint64_t calls;
  uint64_t cost;  // of its own, in ticks of the processor's clock, or instructions
  uint32_t first; // 0: not entered
  uint32_t last;
};

struct dragnet_ended {
  uint64_t magic;
  uint32_t execution;
  uint32_t count;
  uint64_t zeros[2];
};

struct dragnet_ended_entry {
  uint32_t function;
  uint32_t zero;
  uint32_t first;
  uint32_t last;
  uint64_t calls;
  uint64_t cost;
};

static inline uint64_t dragnet_pages(uint64_t bytes) {
  return (bytes + DRAGNET_CALLS_PAGE - 1) / DRAGNET_CALLS_PAGE * DRAGNET_CALLS_PAGE;
}

// Where each part of a calls file begins, in bytes.
static inline uint64_t dragnet_calls_texts_at(const struct dragnet_calls_header* header) {
  return DRAGNET_CALLS_PAGE +
         dragnet_pages(header->module_capacity * sizeof(struct dragnet_calls_module));
}
static inline uint64_t dragnet_calls_functions_at(const struct dragnet_calls_header* header) {
  return dragnet_calls_texts_at(header) + dragnet_pages(header->text_capacity);
}
static inline uint64_t dragnet_lanes_at(const struct dragnet_calls_header* header) {
  return dragnet_calls_functions_at(header) +
         dragnet_pages(header->function_capacity * sizeof(struct dragnet_calls_function));
}
// Where each part of a lane begins, from its own beginning.
static inline uint64_t dragnet_lane_entered_at(const struct dragnet_calls_header* header) {
  return DRAGNET_CALLS_PAGE +
         dragnet_pages(header->function_capacity * sizeof(struct dragnet_calls_record));
}
static inline uint64_t dragnet_lane_stack_at(const struct dragnet_calls_header* header) {
  return dragnet_lane_entered_at(header) +
         dragnet_pages(header->function_capacity * sizeof(uint32_t));
}
static inline uint64_t dragnet_lane_open_at(const struct dragnet_calls_header* header) {
  return dragnet_lane_stack_at(header) + (header->frame_capacity * sizeof(uint64_t));
}
static inline uint64_t dragnet_lane_size(const struct dragnet_calls_header* header) {
  return dragnet_lane_stack_at(header) +
         dragnet_pages(header->frame_capacity * (sizeof(uint64_t) + sizeof(uint32_t)));
}
static inline uint64_t dragnet_calls_size(const struct dragnet_calls_header* header) {
  return dragnet_lanes_at(header) + (header->lane_capacity * dragnet_lane_size(header));
}
// NOLINTEND(modernize-macro-to-enum, readability-identifier-naming)
