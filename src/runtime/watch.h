// Counts what the running thread does under its stack.
// The short ways are here to be inlined; the long ones are not.
#pragma once

#include "runtime/ledger.h"
#include "runtime/memo.h"
#include "runtime/stack_walk.h"
#include "runtime/stacks_format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
