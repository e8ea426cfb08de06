// What a thread remembers of the stacks that it has seen.
//
// A walk of the stack is remembered together with the words that it read: as long as they are the
// same at the same place, so is the stack. Checking them costs a nanosecond a frame.
#pragma once

#include "runtime/stack_walk.h"
#include "runtime/stacks_format.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
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
  char path[PATH_MAX];
  struct walk walk;
  struct memo* recent[recent_count]; // the last one from a place
  struct hop hops[hop_count];
  struct memo memos[memo_count];
};

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

// The place and its caller tell most stacks apart, and are found faster.
static inline struct memo** recent_memo(struct thread* self, const struct registers* from) {
  const struct hop* hop = &self->hops[(from->pc ^ from->pc >> 10) % hop_count];
  const uint64_t caller = hop->pc == from->pc ? ((const uint64_t*)(from->rsp + hop->size))[-1] : 0;
  return &self->recent[(from->pc ^ from->rsp >> 4 ^ caller ^ caller >> 7) % recent_count];
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
