// Follows the stack of the running thread from a place to where the thread began.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { deepest_stack = 1024, most_checks = 64, most_hops = 4 };

/// What a walk found. The addresses are of return, innermost first; where a signal interrupted, the
/// address behind the first byte of the instruction stands for it.
struct walk {
  uint32_t depth;
  bool whole;      // it led to where the thread began
  bool repeatable; // the checks tell whether another walk from the same place ends the same
  bool needs_rbp;  // ... if rbp is the same, too
  uint32_t check_count;
  struct {
    const uint64_t* at;
    uint64_t value;
  } checks[most_checks];
  uint32_t hop_count; // of the innermost frames that count from rsp, how far they reach
  uint64_t hop_sizes[most_hops];
  uint64_t addresses[deepest_stack];
};

/// The part of memory that a thread's stack lies in.
struct stack_bounds {
  uint64_t low;
  uint64_t high;
};

struct registers {
  uint64_t pc; // behind a call, or behind the first byte of an instruction
  uint64_t rsp;
  uint64_t rbp;
};

void walk_stack(struct walk* walk, struct registers from, struct stack_bounds* bounds);

/// Forgets what is known of code: some was loaded or unloaded.
void walk_forget(void);
