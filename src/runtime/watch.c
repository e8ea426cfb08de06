#define _GNU_SOURCE
#include "runtime/watch.h"

#include "runtime/ledger.h"
#include "runtime/raw_calls.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { thread_capacity = 1 << 16 };

__thread struct thread* watch_self;
__thread bool watch_busy;
_Atomic uint32_t* watch_descriptors;

// Where a path led when it was opened first, by the number of the path itself; plus one.
static _Atomic uint32_t* led_to;

static struct thread* threads[thread_capacity];
static uint32_t thread_count;

static _Atomic uint32_t* room_for(size_t count) {
  return raw_map(NULL, count * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

bool watch_open(void) {
  watch_descriptors = room_for(descriptor_capacity);
  led_to = room_for(ledger_file_capacity);
  return watch_descriptors != NULL && led_to != NULL;
}

void watch_forget_descriptors(uint32_t first, uint32_t last) {
  for (uint32_t index = first; index <= last && index < descriptor_capacity; ++index)
    if (atomic_load_explicit(&watch_descriptors[index], memory_order_relaxed) != 0)
      atomic_store_explicit(&watch_descriptors[index], 0, memory_order_relaxed);
}

static uint32_t file_behind(int descriptor) {
  char link[32] = "/proc/self/fd/";
  *raw_digits(link + 14, (uint64_t)descriptor) = '\0';
  char* path = watch_self->path; // there may be little room on the stack
  const long size = raw_call3(SYS_readlink, (long)link, (long)path, PATH_MAX);
  return size <= 0 ? DRAGNET_NO_FILE : ledger_file(path, (size_t)size);
}

uint32_t watch_look_up(int descriptor) {
  if (descriptor < 0)
    return DRAGNET_NO_FILE;
  const uint32_t found = file_behind(descriptor);
  if (found != DRAGNET_NO_FILE && descriptor < descriptor_capacity)
    atomic_store_explicit(&watch_descriptors[descriptor], found + 1, memory_order_relaxed);
  return found;
}

// Whether a path is likely to lead to the same file the next time.
static bool is_lasting(const char* path) {
  if (starts_with(path, "/proc/") ||
      (starts_with(path, "/dev/") && !starts_with(path, "/dev/shm/")))
    return false;
  return path[0] == '/';
}

uint32_t watch_opened(int descriptor, const char* path) {
  if (descriptor >= descriptor_capacity || path == NULL || !is_lasting(path))
    return watch_look_up(descriptor);
  const uint32_t alias = ledger_file(path, raw_size(path));
  if (alias == LEDGER_NONE)
    return watch_look_up(descriptor);
  if (led_to[alias] == 0)
    led_to[alias] = watch_look_up(descriptor) + 1;
  atomic_store_explicit(&watch_descriptors[descriptor], led_to[alias], memory_order_relaxed);
  return led_to[alias] - 1;
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
  if (watch_self != NULL) {
    watch_self->owner = (uint32_t)raw_call3(SYS_gettid, 0, 0, 0);
    ++watch_self->generation;
  }
  raw_call3(SYS_madvise, (long)watch_descriptors, descriptor_capacity * sizeof *watch_descriptors,
            MADV_DONTNEED);
  raw_call3(SYS_madvise, (long)led_to, ledger_file_capacity * sizeof *led_to, MADV_DONTNEED);
}

// A thread's stack lies below its control block, except that of the first thread.
static void guess_bounds(struct stack_bounds* bounds, uint64_t rsp) {
  const uint64_t block = (uint64_t)__builtin_thread_pointer();
  enum { usual_size = 8 << 20 };
  if (rsp < block && block - rsp < usual_size)
    *bounds = (struct stack_bounds){block - usual_size, block};
}

// Learns the frames that count from rsp: what memo_for hashes later.
static void learn_hops(struct thread* self, const struct walk* walk) {
  for (uint32_t index = 0; index < walk->hop_count; ++index) {
    const uint64_t pc = walk->addresses[index];
    self->hops[(pc ^ pc >> 10) % hop_count] = (struct hop){pc, walk->hop_sizes[index]};
  }
}

struct memo* watch_remember(const struct registers* from) {
  struct thread* self = watch_self;
  struct walk* walk = &self->walk;
  const uint32_t generation = self->generation;
  if (self->bounds.high == 0)
    guess_bounds(&self->bounds, from->rsp);
  walk_stack(walk, *from, &self->bounds);
  learn_hops(self, walk);
  struct memo* memo = memo_for(self, from);
  *recent_memo(self, from) = memo;
  memo->from = *from;
  memo->stack = ledger_stack(walk->addresses, walk->depth, walk->whole);
  memo->generation = walk->repeatable ? generation : 0;
  memo->needs_rbp = walk->needs_rbp;
  memo->check_count = walk->check_count;
  memo->use = NULL;
  for (uint32_t index = 0; index < walk->check_count; ++index) {
    memo->checks[index].at = walk->checks[index].at;
    memo->checks[index].value = walk->checks[index].value;
  }
  return memo;
}

void watch_find_use(struct memo* memo, uint32_t kind, uint32_t file) {
  memo->use =
      memo->stack == LEDGER_NONE ? NULL : ledger_use(memo->stack, file, kind, watch_self->number);
  memo->file = file;
  memo->kind = kind;
}

void watch_forget_code(void) {
  ledger_lock();
  forget_code();
  ledger_forget_stacks();
  walk_forget();
  for (uint32_t index = 0; index < thread_count; ++index)
    atomic_fetch_add(&threads[index]->generation, 1);
  ledger_unlock();
}

bool watch_begin_first(void) {
  if (watch_busy) {
    ledger_lose();
    return false;
  }
  watch_busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  if (watch_self == NULL)
    watch_self = take_thread();
  if (watch_self != NULL)
    return true;
  ledger_lose();
  watch_end();
  return false;
}
