#include "runtime/stack_walk.h"

#include "runtime/code_map.h"
#include "runtime/frame_rules.h"
#include "runtime/ledger.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { cache_size = 1 << 16, rule_capacity = 1 << 15, rule_slots = 1 << 16 };

// By address: the address and, in the lowest 16 bits, the number of its rule.
static _Atomic uint64_t cache[cache_size];

// Each rule once. A rule is never changed. Number 0 is "not code".
static struct frame_rule rules[rule_capacity];
static uint32_t rule_count = 1;
static uint16_t rule_index[rule_slots];

static uint32_t number_of(const struct frame_rule* rule) {
  uint64_t words[2];
  memcpy(words, rule, sizeof words);
  uint64_t hash = (words[0] ^ words[1] * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  for (hash >>= 40;; ++hash) {
    uint16_t* slot = &rule_index[hash % rule_slots];
    if (*slot != 0 && memcmp(&rules[*slot], rule, sizeof *rule) != 0)
      continue;
    if (*slot == 0 && rule_count < rule_capacity) {
      rules[rule_count] = *rule;
      *slot = (uint16_t)rule_count++;
    }
    return *slot;
  }
}

static uint32_t learn_rule(uint64_t address) {
  ledger_lock();
  uint32_t number = 0;
  const struct code* code = code_at(address);
  if (code != NULL) {
    const struct frame_rule rule = read_rule(code, address);
    number = number_of(&rule);
  }
  ledger_unlock();
  return number;
}

static inline uint32_t rule_for(uint64_t address) {
  _Atomic uint64_t* entry = &cache[(address ^ address >> 16) % cache_size];
  const uint64_t known = atomic_load_explicit(entry, memory_order_acquire);
  if (known >> 16 == address)
    return known & 0xffff;
  if (address >> 47 != 0)
    return 0;
  const uint32_t number = learn_rule(address);
  atomic_store_explicit(entry, address << 16 | number, memory_order_release);
  return number;
}

void walk_forget(void) {
  for (size_t index = 0; index < cache_size; ++index)
    atomic_store_explicit(&cache[index], 0, memory_order_relaxed);
}

static void find_bounds(struct stack_bounds* bounds, uint64_t rsp) {
  if (rsp >= bounds->low && rsp < bounds->high)
    return;
  ledger_lock();
  bounds->low = rsp & ~(uint64_t)0xffff;
  bounds->high = mapped_until(rsp);
  ledger_unlock();
}

// The state of a walk: the registers, and where rbp was read if nobody has needed it yet.
struct step {
  struct registers now;
  const uint64_t* rbp_at;
  bool rbp_is_first;
  bool rbp_known;
};

static inline bool is_readable(const struct step* step, const struct stack_bounds* bounds,
                               uint64_t at) {
  return at >= step->now.rsp && at < bounds->high - 7 && at % 8 == 0;
}

static inline void check(struct walk* walk, const uint64_t* at, uint64_t value) {
  if (walk->check_count == most_checks) {
    walk->repeatable = false;
    return;
  }
  walk->checks[walk->check_count].at = at;
  walk->checks[walk->check_count++].value = value;
}

static inline void need_rbp(struct walk* walk, struct step* step) {
  if (step->rbp_is_first)
    walk->needs_rbp = true;
  else if (step->rbp_at != NULL)
    check(walk, step->rbp_at, step->now.rbp);
  step->rbp_is_first = false;
  step->rbp_at = NULL;
}

// The frame's address; 0 where it cannot be told.
static inline uint64_t frame_of(const struct frame_rule* rule, struct walk* walk, struct step* step,
                                const struct stack_bounds* bounds) {
  if (rule->base == FRAME_FROM_RSP)
    return step->now.rsp + (uint64_t)(int64_t)rule->base_offset;
  if (!step->rbp_known)
    return 0;
  need_rbp(walk, step);
  const uint64_t frame = step->now.rbp + (uint64_t)(int64_t)rule->base_offset;
  if (rule->base == FRAME_FROM_RBP)
    return frame;
  if (!is_readable(step, bounds, frame))
    return 0;
  const uint64_t* word = (const uint64_t*)frame;
  check(walk, word, *word);
  return *word;
}

static inline bool read_rbp(const struct frame_rule* rule, uint64_t frame, struct walk* walk,
                            struct step* step, const struct stack_bounds* bounds) {
  if (rule->rbp == RBP_KEPT)
    return true;
  step->rbp_known = rule->rbp != RBP_UNKNOWN && (rule->rbp == RBP_IN_FRAME || step->rbp_known);
  if (!step->rbp_known)
    return true;
  uint64_t from = frame;
  if (rule->rbp == RBP_AT_RBP) {
    need_rbp(walk, step);
    from = step->now.rbp;
  }
  const uint64_t at = from + (uint64_t)(int64_t)rule->rbp_offset;
  if (!is_readable(step, bounds, at))
    return false;
  step->rbp_at = (const uint64_t*)at;
  step->rbp_is_first = false;
  step->now.rbp = *step->rbp_at;
  return true;
}

static inline bool to_caller(const struct frame_rule* rule, struct walk* walk, struct step* step,
                             const struct stack_bounds* bounds) {
  const uint64_t frame = frame_of(rule, walk, step, bounds);
  const uint64_t at = frame + (uint64_t)(int64_t)rule->return_offset;
  if (frame <= step->now.rsp || !is_readable(step, bounds, at))
    return false;
  if (!read_rbp(rule, frame, walk, step, bounds))
    return false;
  const uint64_t* word = (const uint64_t*)at;
  check(walk, word, *word);
  step->now.pc = *word;
  step->now.rsp = frame;
  return true;
}

// What the kernel saved when it called a handler of a signal: a ucontext_t at rsp.
static bool to_interrupted(struct walk* walk, struct step* step, struct stack_bounds* bounds) {
  enum { rbp_place = 15, rsp_place = 20, pc_place = 21 };
  walk->repeatable = false;
  const uint64_t* saved = (const uint64_t*)step->now.rsp;
  if (!is_readable(step, bounds, step->now.rsp + (pc_place * 8)))
    return false;
  step->now = (struct registers){
      .pc = saved[pc_place] + 1, .rsp = saved[rsp_place], .rbp = saved[rbp_place]};
  step->rbp_known = true;
  step->rbp_is_first = false;
  step->rbp_at = NULL;
  find_bounds(bounds, step->now.rsp);
  return true;
}

// Code without tables: what was compiled with frame pointers can still be followed.
static bool by_frame_pointer(struct walk* walk, struct step* step,
                             const struct stack_bounds* bounds) {
  static const struct frame_rule usual = {.base = FRAME_FROM_RBP,
                                          .base_offset = 16,
                                          .rbp = RBP_IN_FRAME,
                                          .rbp_offset = -16,
                                          .return_offset = -8};
  walk->repeatable = false;
  return to_caller(&usual, walk, step, bounds);
}

void walk_stack(struct walk* walk, struct registers from, struct stack_bounds* bounds) {
  walk->depth = walk->check_count = walk->hop_count = 0;
  walk->whole = walk->needs_rbp = false;
  walk->repeatable = true;
  struct step step = {.now = from, .rbp_is_first = true, .rbp_known = true};
  find_bounds(bounds, from.rsp);
  while (walk->depth < deepest_stack) {
    const uint32_t number = step.now.pc == 0 ? 0 : rule_for(step.now.pc - 1);
    if (number == 0) {
      walk->whole = step.now.pc == 0;
      return;
    }
    const struct frame_rule* rule = &rules[number];
    if (walk->hop_count == walk->depth && walk->hop_count < most_hops &&
        rule->base == FRAME_FROM_RSP && rule->return_offset == -8)
      walk->hop_sizes[walk->hop_count++] = (uint64_t)(int64_t)rule->base_offset;
    walk->addresses[walk->depth++] = step.now.pc;
    bool went_on;
    if (rule->base == FRAME_OF_FIRST_CODE) {
      walk->whole = true;
      return;
    }
    if (rule->base == FRAME_OF_SIGNAL)
      went_on = to_interrupted(walk, &step, bounds);
    else if (rule->base == FRAME_UNKNOWN)
      went_on = by_frame_pointer(walk, &step, bounds);
    else
      went_on = to_caller(rule, walk, &step, bounds);
    if (!went_on) {
      // The first code of a program has no frame that called it, and the kernel sets rbp to 0.
      walk->whole = rule->base == FRAME_UNKNOWN && step.rbp_known && step.now.rbp == 0;
      return;
    }
  }
}
