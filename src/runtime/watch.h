// Counts what the running thread does under its stack.
//
// A walk of the stack is remembered together with the words that it read: as long as they are the
// same at the same place, so is the stack. Checking them costs a nanosecond a frame. This short way
// is here to be inlined; everything else is not.
#pragma once

#include "runtime/ledger.h"
#include "runtime/stack_walk.h"
#include "runtime/stacks_format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  memo_count = 2048,
  recent_count = 256,
  hop_count = 1024,
  hops_hashed = 4,
  descriptor_capacity = 1 << 16
};

struct hop {
  uint64_t pc;
  uint64_t size; // of the frame, where it counts from rsp
};

// A stack as it was seen from one place.
struct memo {
  struct registers from;
  uint32_t stack;
  uint32_t generation; // 0: unused
  bool needs_rbp;
  uint32_t check_count;
  uint32_t file;
  uint32_t kind;
  struct dragnet_use* use; // of this file and kind
  struct {
    const uint64_t* at;
    uint64_t value;
  } checks[most_checks];
};

struct thread {
  uint32_t number;
  uint32_t owner; // the thread's id
  _Atomic uint32_t generation;
  struct stack_bounds bounds;
  struct walk walk;
  struct memo* recent[recent_count]; // the last one from a place
  struct hop hops[hop_count];
  struct memo memos[memo_count];
};

extern __thread struct thread* watch_self;
extern __thread bool watch_busy;
extern _Atomic uint32_t* watch_descriptors; // the number of a file plus one, or 0

/// Makes room; false when there is none.
bool watch_open(void);

/// In a forked child: begins anew.
void watch_begin_in_child(void);

/// Code was unloaded: what is remembered of stacks holds no longer.
void watch_forget_code(void);

/// Descriptors from one to another (included) stand for something else from now on.
void watch_forget_descriptors(uint32_t first, uint32_t last);

// The long ways.
bool watch_begin_first(void);
uint32_t watch_look_up(int descriptor);
struct memo* watch_remember(const struct registers* from);
void watch_find_use(struct memo* memo, uint32_t kind, uint32_t file);

/// Begins to count in this thread; false where a handler of a signal interrupted counting, and what
/// it does is lost.
static inline bool watch_begin(void) {
  if (watch_busy || watch_self == NULL)
    return watch_begin_first();
  watch_busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  return true;
}

static inline void watch_end(void) {
  atomic_signal_fence(memory_order_seq_cst);
  watch_busy = false;
}

/// Between these: the number of the file that an open returned for a path.
uint32_t watch_opened(int descriptor, const char* path);

/// Between these: the number of the file that a descriptor stands for.
static inline uint32_t watch_file(int descriptor) {
  if ((uint32_t)descriptor < descriptor_capacity) {
    const uint32_t known =
        atomic_load_explicit(&watch_descriptors[descriptor], memory_order_relaxed);
    if (known != 0)
      return known - 1;
  }
  return watch_look_up(descriptor);
}

// The place of the memo for a stack, which its innermost frames tell from others.
static inline struct memo* memo_for(struct thread* self, const struct registers* from) {
  uint64_t hash = from->rsp;
  uint64_t pc = from->pc;
  uint64_t rsp = from->rsp;
  for (int hops = 0; hops < hops_hashed; ++hops) {
    hash = (hash ^ pc) * 0x9e3779b97f4a7c15u;
    const struct hop* hop = &self->hops[(pc ^ pc >> 10) % hop_count];
    if (hop->pc != pc)
      break;
    rsp += hop->size;
    pc = ((const uint64_t*)rsp)[-1];
  }
  return &self->memos[(hash >> 40) % memo_count];
}

static inline struct memo** recent_memo(struct thread* self, const struct registers* from) {
  return &self->recent[(from->pc ^ from->rsp >> 4) % recent_count];
}

static inline bool memo_holds(const struct memo* memo, const struct registers* from,
                              uint32_t generation) {
  if (memo->from.pc != from->pc || memo->from.rsp != from->rsp || memo->generation != generation ||
      (memo->needs_rbp && memo->from.rbp != from->rbp))
    return false;
  uint64_t differs = 0;
  for (uint32_t index = 0; index < memo->check_count; ++index)
    differs |= *memo->checks[index].at ^ memo->checks[index].value;
  return differs == 0;
}

/// Between these: adds a call that did an amount to a file (or DRAGNET_NO_FILE), from a place.
static inline void watch(const struct registers* from, uint32_t kind, uint32_t file,
                         uint64_t amount) {
  struct thread* self = watch_self;
  const uint32_t generation = atomic_load_explicit(&self->generation, memory_order_relaxed);
  struct memo* memo = *recent_memo(self, from);
  if (memo == NULL || !memo_holds(memo, from, generation)) {
    memo = memo_for(self, from);
    if (memo_holds(memo, from, generation))
      *recent_memo(self, from) = memo;
    else
      memo = watch_remember(from);
  }
  if (memo->use == NULL || memo->file != file || memo->kind != kind)
    watch_find_use(memo, kind, file);
  if (memo->use == NULL) {
    ledger_lose();
    return;
  }
  memo->use->amount += amount;
  ++memo->use->calls;
}
