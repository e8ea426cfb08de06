// dragnet-stacks.so, loaded into every process of a benchmark by LD_PRELOAD: attributes what its
// system calls read, write, send, receive, open and sync to complete stacks and files.
//
// The calls are seen inside the C library (call_sites.h), so that those which stdio and others
// make in there are seen too. What runs here runs inside those functions, also in handlers of
// signals and between vfork and exec: nothing allocates, and nothing of the C library is called.
//
// Not seen: calls that a program makes without the C library, programs that are linked statically,
// io_uring, and what is written through mapped memory.

#define _GNU_SOURCE
#include "runtime/call_meanings.h"
#include "runtime/call_sites.h"
#include "runtime/ledger.h"
#include "runtime/program_start.h"
#include "runtime/raw_calls.h"
#include "runtime/watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/socket.h>

#define EXPORTED __attribute__((visibility("default")))

// The arguments of a system call as hooked_call and counted_call save them on the stack.
struct call {
  uint64_t r9;
  uint64_t r8;
  uint64_t r10;
  uint64_t rdx;
  uint64_t rsi;
  uint64_t rdi;
};

// What stands on the stack of hooked_call.
struct hooked {
  struct call call;
  uint64_t r11;
  uint64_t pc; // behind the system call
};

// What stands on the stack of counted_call.
struct counted {
  struct call call;
  long result;
  uint64_t back; // into the stub
  uint64_t pc;   // behind the system call
};

enum { red_zone = 128 };

// The stub has jumped here (call_sites.h). What a system call keeps is kept: all registers but rax,
// rcx and r11, and the 128 bytes below the stack. The frame is described as if the site had called
// us, for exceptions and cancellation that pass through it.
__asm__(".text\n"
        ".globl hooked_call\n"
        ".hidden hooked_call\n"
        ".type hooked_call, @function\n"
        "hooked_call:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa %rsp, 136\n"
        ".cfi_offset %rip, -136\n"
        "cmp $512, %rax\n"
        "jae 1f\n"
        "lea dragnet_meanings(%rip), %rcx\n"
        "cmpb $0, (%rcx, %rax)\n"
        "je 1f\n"
        "push %r11\n"
        "push %rdi\n"
        "push %rsi\n"
        "push %rdx\n"
        "push %r10\n"
        "push %r8\n"
        "push %r9\n"
        ".cfi_def_cfa_offset 192\n"
        "mov %rsp, %rdi\n"
        "mov %rax, %rsi\n"
        "mov %rbp, %rdx\n"
        "call dragnet_carry_out\n"
        "pop %r9\n"
        "pop %r8\n"
        "pop %r10\n"
        "pop %rdx\n"
        "pop %rsi\n"
        "pop %rdi\n"
        "pop %r11\n"
        ".cfi_def_cfa_offset 136\n"
        "lea 136(%rsp), %rsp\n"
        "jmp *%r11\n"
        "1:\n"
        "lea 136(%rsp), %rsp\n"
        "sub $2, %r11\n"
        "jmp *%r11\n"
        ".cfi_endproc\n"
        ".size hooked_call, .-hooked_call\n"
        ".globl counted_call\n"
        ".hidden counted_call\n"
        ".type counted_call, @function\n"
        "counted_call:\n"
        "push %rax\n"
        "push %rdi\n"
        "push %rsi\n"
        "push %rdx\n"
        "push %r10\n"
        "push %r8\n"
        "push %r9\n"
        "mov %rsp, %rdi\n"
        "mov %ecx, %esi\n"
        "mov %rbp, %rdx\n"
        "call dragnet_count\n"
        "pop %r9\n"
        "pop %r8\n"
        "pop %r10\n"
        "pop %rdx\n"
        "pop %rsi\n"
        "pop %rdi\n"
        "pop %rax\n"
        "ret\n"
        ".size counted_call, .-counted_call\n");

#define FOR_ASSEMBLY __attribute__((visibility("hidden"), used))

FOR_ASSEMBLY long dragnet_carry_out(const struct hooked* hooked, long number, uint64_t rbp);
FOR_ASSEMBLY void dragnet_count(const struct counted* counted, uint32_t number, uint64_t rbp);

static bool only_counts(uint32_t number) {
  return number < CALL_NUMBER_LIMIT && meaning_of(number) != CALL_DOES_NOTHING &&
         meaning_of(number) < CALL_CLOSES;
}

static bool is_wanted(uint32_t number) {
  return number < CALL_NUMBER_LIMIT && dragnet_meanings[number] != CALL_DOES_NOTHING;
}

static inline void begin_if_forked(void) {
  if (ledger_is_ours())
    return;
  ledger_begin_in_child();
  watch_begin_in_child();
}

// A child of vfork that is about to go on elsewhere has its parent's memory, but is not it.
static bool is_process_of_ledger(void) {
  return ledger_is_ours() && (uint32_t)raw_call3(SYS_getpid, 0, 0, 0) == ledger_header()->process;
}

static void before(const struct call* call, unsigned meaning) {
  if (meaning == CALL_CLOSES)
    watch_forget_descriptors((uint32_t)call->rdi, (uint32_t)call->rdi);
  else if (meaning == CALL_CLOSES_RANGE)
    watch_forget_descriptors((uint32_t)call->rdi, (uint32_t)call->rsi);
  else if (meaning == CALL_DUPLICATES)
    watch_forget_descriptors((uint32_t)call->rsi, (uint32_t)call->rsi);
  else if ((meaning == CALL_ENDS || meaning == CALL_EXECUTES) && is_process_of_ledger())
    ledger_note_end();
}

static uint64_t message_bytes(const struct mmsghdr* messages, long count) {
  uint64_t sum = 0;
  for (long index = 0; index < count; ++index)
    sum += messages[index].msg_len;
  return sum;
}

static inline void add(const struct registers* from, uint32_t kind, uint64_t descriptor,
                       long amount) {
  watch(from, kind, watch_file((int)descriptor), amount > 0 ? (uint64_t)amount : 0);
}

// The path that an open was given; NULL where it may stand for a new file each time.
static const char* path_opened(const struct call* call, long number) {
  if (number == SYS_openat)
    return (call->rdx & O_TMPFILE) == O_TMPFILE ? NULL : (const char*)call->rsi;
  if (number == SYS_open)
    return (call->rsi & O_TMPFILE) == O_TMPFILE ? NULL : (const char*)call->rdi;
  return NULL;
}

// What others than the plain transfers did.
static __attribute__((noinline)) void count_special(const struct call* call, long number,
                                                    long result, const struct registers* from) {
  switch (meaning_of(number)) {
  case CALL_TRANSFERS_MESSAGES:
    add(from, kind_of(number), call->rdi,
        (long)message_bytes((const struct mmsghdr*)call->rsi, result));
    break;
  case CALL_SENDS_FILE:
    add(from, DRAGNET_WRITTEN, call->rdi, result);
    add(from, DRAGNET_READ, call->rsi, result);
    break;
  case CALL_COPIES:
    add(from, DRAGNET_READ, call->rdi, result);
    add(from, DRAGNET_WRITTEN, call->rdx, result);
    break;
  case CALL_SPLICES:
    add(from, DRAGNET_SPLICED, call->rdx, result);
    break;
  case CALL_TEES:
    add(from, DRAGNET_SPLICED, call->rsi, result);
    break;
  case CALL_SYNCS:
    add(from, DRAGNET_SYNCED, call->rdi, result == 0);
    break;
  case CALL_SYNCS_ALL:
    watch(from, DRAGNET_SYNCED, DRAGNET_NO_FILE, result == 0);
    break;
  case CALL_OPENS:
    if (result >= 0)
      watch(from, DRAGNET_OPENED, watch_opened((int)result, path_opened(call, number)), 1);
    break;
  default:
    break;
  }
}

static inline void count(const struct call* call, long number, long result,
                         const struct registers* from) {
  if (result == -EBADF || !watch_begin())
    return;
  if (meaning_of(number) == CALL_TRANSFERS)
    add(from, kind_of(number), call->rdi, result);
  else
    count_special(call, number, result, from);
  watch_end();
}

// Programs that cannot be watched leave no file: they are missed by the number of those started.
static long execute(const struct call* call, long number) {
  _Atomic uint32_t* started = (_Atomic uint32_t*)&ledger_header()->started;
  atomic_fetch_add(started, 1);
  const long result =
      start_program(number, (const long[]){(long)call->rdi, (long)call->rsi, (long)call->rdx,
                                           (long)call->r10, (long)call->r8});
  atomic_fetch_sub(started, 1);
  return result;
}

long dragnet_carry_out(const struct hooked* hooked, long number, uint64_t rbp) {
  const struct call* call = &hooked->call;
  const unsigned meaning = meaning_of(number);
  if (meaning >= CALL_CLOSES)
    before(call, meaning);
  if (meaning == CALL_EXECUTES)
    return execute(call, number);
  const long result = raw_call6(number, (long)call->rdi, (long)call->rsi, (long)call->rdx,
                                (long)call->r10, (long)call->r8, (long)call->r9);
  if (meaning >= CALL_CLOSES)
    return result;
  begin_if_forked();
  const struct registers from = {
      .pc = hooked->pc, .rsp = (uint64_t)(hooked + 1) + red_zone, .rbp = rbp};
  count(call, number, result, &from);
  return result;
}

void dragnet_count(const struct counted* counted, uint32_t number, uint64_t rbp) {
  begin_if_forked();
  const struct registers from = {
      .pc = counted->pc, .rsp = (uint64_t)(counted + 1) + red_zone, .rbp = rbp};
  count(&counted->call, number, counted->result, &from);
}

static bool watching;

// The C library itself is not set up yet: the environment is what the dynamic linker gives us.
__attribute__((constructor)) static void begin(int count, char** words, char** environment) {
  (void)count;
  (void)words;
  const char* folder = remember_variables(environment);
  if (folder == NULL || *folder == '\0' || !watch_open() || !ledger_open(folder))
    return;
  ledger_note_start();
  ledger_lock();
  hook_call_sites(is_wanted, only_counts);
  ledger_unlock();
  watching = true;
}

/// An allocation, as dragnet-allocations.so sees it.
EXPORTED void dragnet_allocated(uint64_t pc, uint64_t rsp, uint64_t rbp, uint64_t size) {
  if (!watching)
    return;
  begin_if_forked();
  if (!watch_begin())
    return;
  const struct registers from = {.pc = pc, .rsp = rsp, .rbp = rbp};
  watch(&from, DRAGNET_ALLOCATED, DRAGNET_NO_FILE, size);
  watch_end();
}

/// What lies where may be something else afterwards.
EXPORTED int dlclose(void* library) {
  static int (*real)(void*);
  if (real == NULL)
    *(void**)&real = dlsym(RTLD_NEXT, "dlclose");
  const int result = real(library);
  if (watching) {
    begin_if_forked();
    watch_forget_code();
  }
  return result;
}
