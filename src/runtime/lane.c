#define _GNU_SOURCE
#include "runtime/lane.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { lane_capacity = 1024, path_size = 4096, entered_kind = 1, left_kind = 2, cut_kind = 3 };
static const uint64_t trace_window = 1 << 24;
static const uint64_t ended_window = 1 << 20;

static struct lane lanes[lane_capacity];

const volatile uint64_t* lane_counter;
_Thread_local uint64_t lane_skipped;
_Thread_local uint64_t lane_now;

static void place(struct lane* lane, uint32_t number) {
  char* start = calls_lane(number);
  lane->number = number;
  lane->mode = calls_header->mode;
  lane->header = (struct dragnet_lane_header*)start;
  lane->records = (struct dragnet_calls_record*)(start + DRAGNET_CALLS_PAGE);
  lane->entered = (uint32_t*)(start + dragnet_lane_entered_at(calls_header));
  lane->places = lane_places(lane->header);
  lane->open = lane_open(lane->header);
}

static void begin(struct lane* lane) {
  lane->header->thread = (uint32_t)syscall(SYS_gettid);
  lane->header->time = ticks_now();
  lane->header->depth = 1;
  lane->places[0] = UINT64_MAX;
  lane->header->taken = 1;
}

struct lane* lane_take(void) {
  struct lane* found = NULL;
  calls_lock();
  for (uint32_t number = 0; found == NULL && number < calls_header->lane_count; ++number)
    if (lanes[number].header->taken == 0)
      found = &lanes[number];
  if (found == NULL && calls_header->lane_count < calls_header->lane_capacity) {
    found = &lanes[calls_header->lane_count];
    place(found, calls_header->lane_count++);
  }
  if (found != NULL)
    begin(found);
  calls_unlock();
  return found;
}

void lane_release(struct lane* lane) {
  lane_unwind(lane, UINT64_MAX - 1);
  // Executions of another thread are others.
  if (calls_header->cuts > 0)
    lane_cut(lane);
  lane->header->taken = 0;
}

static void close_window(struct window* window) {
  if (window->start != NULL)
    munmap(window->start, (size_t)(window->end - window->start));
}

// The next part of a file that grows; false, and no room, when that is impossible.
static bool next_window(struct lane* lane, struct window* window, const char* kind, uint64_t size) {
  char path[path_size];
  const uint64_t offset =
      window->file_offset + dragnet_pages((uint64_t)(window->at - window->start));
  close_window(window);
  *window = (struct window){.file_offset = offset};
  calls_path(path, sizeof path, lane->number, kind);
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    return false;
  void* mapped = MAP_FAILED;
  if (ftruncate(file, (off_t)(offset + size)) == 0)
    mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
  close(file);
  if (mapped == MAP_FAILED)
    return false;
  window->start = window->at = mapped;
  window->end = window->start + size;
  return true;
}

static bool has_room(struct lane* lane, struct window* window, const char* kind, uint64_t needed,
                     uint64_t size) {
  return (uint64_t)(window->end - window->at) >= needed ||
         next_window(lane, window, kind, needed > size ? dragnet_pages(needed) : size);
}

static void add_word(struct lane* lane, uint64_t word) {
  if (!has_room(lane, &lane->trace, "trace", sizeof word, trace_window)) {
    calls_lose();
    return;
  }
  memcpy(lane->trace.at, &word, sizeof word);
  lane->trace.at += sizeof word;
}

void lane_trace(struct lane* lane, uint32_t kind, uint32_t function, uint64_t now) {
  if (now >> 40 != lane->high) {
    lane->high = now >> 40;
    add_word(lane, lane->high << 2);
  }
  add_word(lane, (now << 24) | ((uint64_t)function << 2) | kind);
}

// Notes time and event where they are wanted.
static void note(struct lane* lane, uint32_t kind, uint32_t function) {
  if (lane->mode == DRAGNET_ORDER)
    return;
  const uint64_t now = ticks_now();
  lane_charge(lane, now);
  if (lane->mode == DRAGNET_TRACE)
    lane_trace(lane, kind, function, now);
}

static void enter_execution(struct lane* lane, uint32_t function) {
  struct dragnet_calls_record* record = &lane->records[function];
  // The boundary is never taken for known: each time it takes the slow way.
  if (function != calls_header->boundary)
    record->address = calls_address(function);
  if (record->first != 0)
    return;
  lane->entered[lane->header->entered_count] = function;
  ++lane->header->entered_count;
  record->first = record->last = calls_tick();
}

uint32_t lane_enter_first(struct lane* lane, uint64_t address) {
  const uint32_t function = calls_number(address);
  if (function != 0)
    enter_execution(lane, function);
  else
    calls_lose();
  return function;
}

static void pop(struct lane* lane) {
  const uint32_t function = lane_function(lane, lane->header->depth - 1);
  note(lane, left_kind, function);
  lane->records[function].last = calls_clock();
  --lane->header->depth;
}

void lane_unwind(struct lane* lane, uint64_t place) {
  while (lane->places[lane->header->depth - 1] < place)
    pop(lane);
}

static bool boundary_is_open(const struct lane* lane) {
  for (uint32_t depth = lane->header->depth; depth-- > 1;)
    if (lane_function(lane, depth) == calls_header->boundary)
      return true;
  return false;
}

void lane_leave(struct lane* lane, uint64_t address) {
  const uint32_t function = calls_number(address);
  uint32_t depth = lane->header->depth - 1;
  while (depth > 0 && lane_function(lane, depth) != function)
    --depth;
  if (depth == 0) { // it was entered when there was no room for it
    if (lane->records[function].first != 0)
      lane->records[function].last = calls_clock();
    calls_lose();
    return;
  }
  while (lane->header->depth > depth)
    pop(lane);
  if (function == calls_header->boundary && !boundary_is_open(lane))
    lane_cut(lane);
}

static void write_ended(struct lane* lane) {
  const uint32_t count = lane->header->entered_count;
  struct dragnet_ended block = {
      .magic = DRAGNET_ENDED_MAGIC, .execution = lane->header->execution, .count = count};
  const uint64_t size = sizeof block + (count * sizeof(struct dragnet_ended_entry));
  if (!has_room(lane, &lane->ended, "ended", size, ended_window)) {
    calls_lose();
    return;
  }
  struct dragnet_ended_entry* entry = (struct dragnet_ended_entry*)(lane->ended.at + sizeof block);
  for (uint32_t index = 0; index < count; ++index, ++entry) {
    const uint32_t function = lane->entered[index];
    const struct dragnet_calls_record* record = &lane->records[function];
    *entry = (struct dragnet_ended_entry){.function = function,
                                          .first = record->first,
                                          .last = record->last,
                                          .calls = record->calls,
                                          .cost = record->cost};
  }
  // It counts once it is whole.
  atomic_signal_fence(memory_order_release);
  memcpy(lane->ended.at, &block, sizeof block);
  lane->ended.at += size;
}

void lane_cut(struct lane* lane) {
  note(lane, cut_kind, 0);
  atomic_fetch_add((_Atomic uint32_t*)&calls_header->cuts, 1);
  for (uint32_t depth = 1; depth < lane->header->depth; ++depth)
    lane->records[lane_function(lane, depth)].last = calls_clock();
  write_ended(lane);
  for (uint32_t index = 0; index < lane->header->entered_count; ++index)
    lane->records[lane->entered[index]] = (struct dragnet_calls_record){0};
  lane->header->entered_count = 0;
  ++lane->header->execution;
  for (uint32_t depth = 1; depth < lane->header->depth; ++depth)
    enter_execution(lane, lane_function(lane, depth));
}

void lane_go_on_in_child(struct lane* lane, const struct frames* frames) {
  for (uint32_t number = 0; number < lane_capacity; ++number) {
    close_window(&lanes[number].trace);
    close_window(&lanes[number].ended);
    lanes[number].trace = lanes[number].ended = (struct window){0};
    lanes[number].high = 0;
  }
  place(lane, lane->number);
  begin(lane);
  memcpy(lane->places + 1, frames->places + 1, (frames->depth - 1) * sizeof *frames->places);
  memcpy(lane->open + 1, frames->open + 1, (frames->depth - 1) * sizeof *frames->open);
  lane->header->depth = frames->depth;
  for (uint32_t index = 1; index < frames->depth; ++index)
    enter_execution(lane, lane_function(lane, index));
}
