// The calls file of this process, mapped into it, and the functions and modules that it knows. What
// is noted here is kept however the process ends.
#pragma once

#include "runtime/calls_format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Each hook needs these: hidden, they are found without a table of addresses.
#define CALLS_HIDDEN __attribute__((visibility("hidden")))

enum { calls_function_capacity = 1 << 17, calls_frame_capacity = 1 << 17 };

/// Makes the file in a folder, with room for so many threads at a time or fewer, and maps it; false
/// when that is impossible.
bool calls_open(const char* folder, uint32_t mode, uint32_t threads, const char* boundary);

/// In a forked child: goes on with a file of its own, which has the functions, the modules and the
/// clock of its parent, and of its lanes none. False when that is impossible; then all that is
/// written goes nowhere.
bool calls_open_in_child(void);

extern struct dragnet_calls_header* calls_header CALLS_HIDDEN;

/// The place of a lane in memory.
void* calls_lane(uint32_t number);

/// The path of a file beside the calls file, such as P-N-3.trace.
void calls_path(char* path, size_t size, uint32_t lane, const char* kind);

/// Where the record of a function begins, by 16 bytes of code: a guess, to be checked.
enum { calls_cells = 1 << 20 };
extern uint32_t calls_cell[calls_cells] CALLS_HIDDEN;
static inline uint32_t calls_guess(uint64_t address) {
  return calls_cell[(address >> 4) % calls_cells];
}

/// The number of a function, given to it where it is new; 0 when there is no room.
uint32_t calls_number(uint64_t address);

/// Where a function lies in memory; 0 once its module was unloaded.
uint64_t calls_address(uint32_t function);

/// Forgets the functions of modules that were unloaded; shows each to `forget`.
void calls_forget_unloaded(void (*forget)(uint32_t function));

/// One thread at a time between these.
void calls_lock(void);
void calls_unlock(void);

/// The clock that goes on by one.
static inline uint32_t calls_tick(void) {
  return atomic_fetch_add_explicit((_Atomic uint32_t*)&calls_header->clock, 1,
                                   memory_order_relaxed) +
         1;
}
static inline uint32_t calls_clock(void) {
  return atomic_load_explicit((_Atomic uint32_t*)&calls_header->clock, memory_order_relaxed);
}

/// Counts an event that is not kept.
static inline void calls_lose(void) {
  atomic_fetch_add_explicit((_Atomic uint64_t*)&calls_header->lost, 1, memory_order_relaxed);
}
