// A walk of the stack is remembered together with the words that it read: as long as they are the
// same at the same place, so is the stack. Checking them costs a nanosecond a frame.
#define _GNU_SOURCE
#include "runtime/watch.h"

#include "runtime/ledger.h"
#include "runtime/raw_calls.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { memo_count = 1024, thread_capacity = 1 << 16, descriptor_capacity = 1 << 16 };

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
  uint32_t generation;
  struct stack_bounds bounds;
  struct walk walk;
  struct memo memos[memo_count];
};

static __thread struct thread* self;
static __thread bool busy;

static struct thread* threads[thread_capacity];
static uint32_t thread_count;
static _Atomic uint32_t epoch; // of what code is loaded
static _Atomic uint32_t* descriptors; // the number of a file plus one, or 0

bool watch_open(void) {
  descriptors = raw_map(NULL, descriptor_capacity * sizeof *descriptors, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  return descriptors != NULL;
}

void forget_descriptors(uint32_t first, uint32_t last) {
  for (uint32_t index = first; index <= last && index < descriptor_capacity; ++index)
    if (atomic_load_explicit(&descriptors[index], memory_order_relaxed) != 0)
      atomic_store_explicit(&descriptors[index], 0, memory_order_relaxed);
}

static uint32_t look_up(int descriptor) {
  char link[32] = "/proc/self/fd/";
  *raw_digits(link + 14, (uint64_t)descriptor) = '\0';
  char path[PATH_MAX];
  const long size = raw_call3(SYS_readlink, (long)link, (long)path, sizeof path);
  return size <= 0 ? DRAGNET_NO_FILE : ledger_file(path, (size_t)size);
}

uint32_t file_of_descriptor(int descriptor) {
  if (descriptor < 0)
    return DRAGNET_NO_FILE;
  if (descriptor >= descriptor_capacity)
    return look_up(descriptor);
  const uint32_t known = atomic_load_explicit(&descriptors[descriptor], memory_order_relaxed);
  if (known != 0)
    return known - 1;
  const uint32_t found = look_up(descriptor);
  if (found != DRAGNET_NO_FILE)
    atomic_store_explicit(&descriptors[descriptor], found + 1, memory_order_relaxed);
  return found;
}

static bool is_gone(const struct thread* thread, uint32_t process, uint32_t me) {
  return thread->owner == me || raw_call3(SYS_tgkill, process, thread->owner, 0) != 0;
}

static struct thread* new_thread(void) {
  if (thread_count == thread_capacity)
    return NULL;
  struct thread* made = raw_map(NULL, sizeof *made, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (made != NULL) {
    made->number = thread_count;
    threads[thread_count++] = made;
  }
  return made;
}

// The state of a thread that is gone, or a new one.
static struct thread* take_thread(void) {
  const uint32_t process = (uint32_t)raw_call3(SYS_getpid, 0, 0, 0);
  const uint32_t me = (uint32_t)raw_call3(SYS_gettid, 0, 0, 0);
  ledger_lock();
  struct thread* taken = NULL;
  for (uint32_t index = 0; index < thread_count && taken == NULL; ++index)
    if (is_gone(threads[index], process, me))
      taken = threads[index];
  if (taken == NULL)
    taken = new_thread();
  if (taken != NULL) {
    taken->owner = me;
    ++taken->generation;
    taken->bounds = (struct stack_bounds){0, 0};
  }
  ledger_unlock();
  return taken;
}

void watch_begin_in_child(void) {
  if (self != NULL) {
    self->owner = (uint32_t)raw_call3(SYS_gettid, 0, 0, 0);
    ++self->generation;
  }
  raw_call3(SYS_madvise, (long)descriptors, descriptor_capacity * sizeof *descriptors,
            MADV_DONTNEED);
}

static inline bool holds(const struct memo* memo, const struct registers* from,
                         uint32_t generation) {
  if (memo->from.pc != from->pc || memo->from.rsp != from->rsp || memo->generation != generation ||
      (memo->needs_rbp && memo->from.rbp != from->rbp))
    return false;
  for (uint32_t index = 0; index < memo->check_count; ++index)
    if (*memo->checks[index].at != memo->checks[index].value)
      return false;
  return true;
}

// A thread's stack lies below its control block, except that of the first thread.
static void guess_bounds(struct stack_bounds* bounds, uint64_t rsp) {
  const uint64_t block = (uint64_t)__builtin_thread_pointer();
  enum { usual_size = 8 << 20 };
  if (rsp < block && block - rsp < usual_size)
    *bounds = (struct stack_bounds){block - usual_size, block};
}

static __attribute__((noinline)) void remember(struct memo* memo, struct registers from) {
  struct walk* walk = &self->walk;
  if (self->bounds.high == 0)
    guess_bounds(&self->bounds, from.rsp);
  walk_stack(walk, from, &self->bounds);
  memo->from = from;
  memo->stack = ledger_stack(walk->addresses, walk->depth, walk->whole);
  memo->generation = walk->repeatable ? self->generation + epoch : 0;
  memo->needs_rbp = walk->needs_rbp;
  memo->check_count = walk->check_count;
  memo->use = NULL;
  for (uint32_t index = 0; index < walk->check_count; ++index) {
    memo->checks[index].at = walk->checks[index].at;
    memo->checks[index].value = walk->checks[index].value;
  }
}

void watch_forget_code(void) {
  ledger_lock();
  forget_code();
  ledger_forget_stacks();
  walk_forget();
  atomic_fetch_add(&epoch, 0x10000);
  ledger_unlock();
}

static __attribute__((noinline)) bool prepare_thread(void) {
  self = take_thread();
  return self != NULL;
}

void watch(struct registers from, uint32_t kind, uint32_t file, uint64_t amount) {
  const uint64_t place = from.pc * 0x9e3779b97f4a7c15u ^ from.rsp * 0xff51afd7ed558ccdu;
  struct memo* memo = &self->memos[(place >> 40) % memo_count];
  if (!holds(memo, &from, self->generation + atomic_load_explicit(&epoch, memory_order_relaxed)))
    remember(memo, from);
  if (memo->use == NULL || memo->file != file || memo->kind != kind) {
    memo->use = memo->stack == LEDGER_NONE
                    ? NULL
                    : ledger_use(memo->stack, file, kind, self->number);
    memo->file = file;
    memo->kind = kind;
  }
  if (memo->use == NULL) {
    ledger_lose();
    return;
  }
  memo->use->amount += amount;
  ++memo->use->calls;
}

bool watch_begin(void) {
  if (busy) {
    ledger_lose();
    return false;
  }
  busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  if (self != NULL || prepare_thread())
    return true;
  ledger_lose();
  busy = false;
  return false;
}

void watch_end(void) {
  atomic_signal_fence(memory_order_seq_cst);
  busy = false;
}
