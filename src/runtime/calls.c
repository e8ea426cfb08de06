// Notes the calls of a program that was compiled with hooks (-finstrument-functions and its kin):
// for each thread and execution how often each function was called, and its first and last event;
// its cost and the whole trace where that is wanted. The hooks do little for a function that is
// known, without a lock; all else is in lane.c and calls_file.c.
#define _GNU_SOURCE
#include "runtime/calls_file.h"
#include "runtime/calls_format.h"
#include "runtime/instruction_clock.h"
#include "runtime/lane.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORTED __attribute__((visibility("default")))
#define RARE(condition) __builtin_expect((condition), 0)
// The compiler forgets what it knows of a value. It would keep sums of it for later, which take
// instructions that an address in an operand does without, and each event pays for them.
#define FORGET(value) __asm__("" : "+r"(value))

static _Thread_local struct lane* current;
// The beginning of that lane where nothing but calls and their order is noted: the hooks need no
// more for a function that is known. NULL: they ask further.
static _Thread_local struct dragnet_lane_header* quick;
// At work: what happens meanwhile in this thread, in a handler of a signal, is not noted.
static _Thread_local volatile int busy;

static enum { unknown, on, off } state = unknown;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_end;

static void go_on_in(struct lane* lane) {
  current = lane;
  quick = lane != NULL && lane->mode == DRAGNET_ORDER && lane_counter == NULL ? lane->header : NULL;
}

static void end_thread(void* lane) {
  busy = 1;
  lane_stop_clock();
  lane_release(lane);
  lane_start_clock();
  go_on_in(NULL);
  busy = 0;
}

// The frames of the thread that forks, for its child.
static struct frames saved;

static size_t saved_size(void) {
  return saved.depth * (sizeof *saved.places + sizeof *saved.open);
}

static void before_fork(void) {
  busy = 1;
  calls_lock();
  if (current == NULL)
    return;
  saved.depth = current->header->depth;
  saved.places =
      mmap(NULL, saved_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (saved.places == MAP_FAILED) {
    saved.places = NULL;
    return;
  }
  saved.open = (uint32_t*)(saved.places + saved.depth);
  memcpy(saved.places, current->places, saved.depth * sizeof *saved.places);
  memcpy(saved.open, current->open, saved.depth * sizeof *saved.open);
}

static void drop_saved(void) {
  if (saved.places != NULL)
    munmap(saved.places, saved_size());
  saved.places = NULL;
}

static void after_fork_in_parent(void) {
  calls_unlock();
  drop_saved();
  busy = 0;
}

static void after_fork_in_child(void) {
  if (!calls_open_in_child())
    state = off;
  struct lane* lane = current;
  go_on_in(NULL);
  if (state == on && lane != NULL && saved.places != NULL) {
    // Its lane keeps its number; those below it are free.
    calls_header->lane_count = lane->number + 1;
    lane_go_on_in_child(lane, &saved);
    go_on_in(lane);
  }
  drop_saved();
  busy = 0;
}

static uint32_t wanted_mode(void) {
  const char* name = getenv(DRAGNET_CALLS_MODE);
  if (name != NULL && strcmp(name, "trace") == 0)
    return DRAGNET_TRACE;
  return name != NULL && strcmp(name, "timed") == 0 ? DRAGNET_TIMED : DRAGNET_ORDER;
}

static void choose_clock(void) {
  const char* name = getenv(DRAGNET_CALLS_CLOCK);
  if (name == NULL || strcmp(name, "instructions") != 0)
    return;
  lane_counter = (const volatile uint64_t*)DRAGNET_CLOCK_AT;
  lane_stop_clock();
}

// An emulator takes long to map what is never touched.
static uint32_t most_threads(void) {
  return lane_counter != NULL ? 16 : 1024;
}

static void start(void) {
  const char* folder = getenv(DRAGNET_CALLS_INTO);
  choose_clock();
  const bool opened =
      folder != NULL && folder[0] != '\0' &&
      calls_open(folder, wanted_mode(), most_threads(), getenv(DRAGNET_CALLS_BOUNDARY)) &&
      pthread_key_create(&at_end, end_thread) == 0 &&
      pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
  if (opened)
    calls_header->counted = lane_counter != NULL;
  state = opened ? on : off;
}

static struct lane* begin_thread(void) {
  if (busy || state == off)
    return NULL;
  const int error = errno;
  busy = 1;
  pthread_once(&once, start);
  struct lane* lane = state == on ? lane_take() : NULL;
  if (lane != NULL)
    pthread_setspecific(at_end, lane);
  else if (state == on)
    calls_lose();
  go_on_in(lane);
  busy = 0;
  errno = error;
  return lane;
}

static uint32_t enter_slowly(struct lane* lane, uint64_t address) {
  if (busy) {
    calls_lose();
    return 0;
  }
  const int error = errno;
  busy = 1;
  const uint32_t function = lane_enter_first(lane, address);
  busy = 0;
  errno = error;
  return function;
}

static void note_slowly(struct lane* lane, uint32_t kind, uint32_t function) {
  const uint64_t now = ticks_now();
  lane_charge(lane, now);
  if (lane->mode != DRAGNET_TRACE)
    return;
  const int error = errno;
  lane_trace(lane, kind, function, now);
  errno = error;
}

static __attribute__((noinline)) void unwind(struct lane* lane, uint64_t place) {
  const int error = errno;
  busy = 1;
  lane_unwind(lane, place);
  busy = 0;
  errno = error;
}

static inline __attribute__((always_inline)) void
push(struct dragnet_lane_header* lane, uint64_t depth, uint64_t place, uint64_t begin) {
  // Room first: a handler of a signal that comes in between goes on above it.
  lane->depth = (uint32_t)depth + 1;
  atomic_signal_fence(memory_order_seq_cst);
  lane_places(lane)[depth] = place;
  lane_open(lane)[depth] = (uint32_t)begin;
}

static void enter(uint64_t address, uint64_t place) {
  struct lane* lane = current;
  if (RARE(lane == NULL) && (lane = begin_thread()) == NULL)
    return;
  uint32_t number = calls_guess(address) / sizeof(struct dragnet_calls_record);
  if (RARE(lane->records[number].address != address) && (number = enter_slowly(lane, address)) == 0)
    return;
  ++lane->records[number].calls;
  // Of a function that was inlined after it got its hooks, the place is that of its caller.
  if (RARE(lane->places[lane->header->depth - 1] < place))
    unwind(lane, place);
  if (lane->mode != DRAGNET_ORDER)
    note_slowly(lane, 1, number);
  if (RARE(lane->header->depth == calls_frame_capacity)) {
    calls_lose();
    return;
  }
  push(lane->header, lane->header->depth, place, number * sizeof(struct dragnet_calls_record));
}

static __attribute__((noinline)) void enter_anyhow(uint64_t address, uint64_t place) {
  lane_stop_clock();
  enter(address, place);
  lane_start_clock();
}

EXPORTED void __cyg_profile_func_enter(void* function, void* caller) {
  (void)caller;
  const uint64_t address = (uint64_t)function;
  uint64_t place = (uint64_t)__builtin_dwarf_cfa();
  struct dragnet_lane_header* lane = quick;
  if (RARE(lane == NULL)) {
    enter_anyhow(address, place);
    return;
  }
  uint64_t begin = calls_guess(address);
  uint64_t depth = lane->depth;
  FORGET(place);
  if (RARE(lane_record(lane, begin)->address != address) ||
      RARE(lane_places(lane)[depth - 1] < place) || RARE(depth == calls_frame_capacity)) {
    enter_anyhow(address, place);
    return;
  }
  FORGET(begin);
  FORGET(depth);
  ++lane_record(lane, begin)->calls;
  push(lane, depth, place, begin);
}

static __attribute__((noinline)) void leave_slowly(struct lane* lane, uint64_t address) {
  if (busy) {
    calls_lose();
    return;
  }
  const int error = errno;
  busy = 1;
  lane_leave(lane, address);
  busy = 0;
  errno = error;
}

static void leave(uint64_t address) {
  struct lane* lane = current;
  if (lane == NULL)
    return;
  const uint32_t depth = lane->header->depth - 1;
  const uint32_t number = lane_function(lane, depth);
  if (RARE(lane->records[number].address != address)) {
    leave_slowly(lane, address);
    return;
  }
  if (lane->mode != DRAGNET_ORDER)
    note_slowly(lane, 2, number);
  lane->records[number].last = calls_clock();
  lane->header->depth = depth;
}

static __attribute__((noinline)) void leave_anyhow(uint64_t address) {
  lane_stop_clock();
  leave(address);
  lane_start_clock();
}

EXPORTED void __cyg_profile_func_exit(void* function, void* caller) {
  (void)caller;
  const uint64_t address = (uint64_t)function;
  struct dragnet_lane_header* lane = quick;
  if (RARE(lane == NULL)) {
    leave_anyhow(address);
    return;
  }
  const uint32_t depth = lane->depth - 1;
  uint64_t begin = lane_open(lane)[depth];
  if (RARE(lane_record(lane, begin)->address != address)) {
    leave_anyhow(address);
    return;
  }
  FORGET(begin);
  lane_record(lane, begin)->last = calls_clock();
  lane->depth = depth;
}

EXPORTED void dragnet_execution_ends(void) {
  struct lane* lane = current;
  if ((lane == NULL && (lane = begin_thread()) == NULL) || busy)
    return;
  const int error = errno;
  busy = 1;
  lane_stop_clock();
  lane_cut(lane);
  lane_start_clock();
  busy = 0;
  errno = error;
}

static void forget(uint32_t function) {
  for (uint32_t number = 0; number < calls_header->lane_count; ++number) {
    char* lane = calls_lane(number);
    struct dragnet_calls_record* records =
        (struct dragnet_calls_record*)(lane + DRAGNET_CALLS_PAGE);
    records[function].address = 0;
  }
}

// What is loaded later at the place of a library is not taken for it.
EXPORTED int dlclose(void* library) {
  int (*real)(void*);
  *(void**)&real = dlsym(RTLD_NEXT, "dlclose");
  const int result = real == NULL ? -1 : real(library);
  const int error = errno;
  if (state == on && !busy) {
    busy = 1;
    calls_forget_unloaded(forget);
    busy = 0;
  }
  errno = error;
  return result;
}
