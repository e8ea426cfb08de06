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
#include "runtime/call_sites.h"
#include "runtime/ledger.h"
#include "runtime/program_start.h"
#include "runtime/raw_calls.h"
#include "runtime/watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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

enum { red_zone = 128, number_limit = 512 };

// What a system call does, by its number: the lower half of a byte; the upper half says as what it
// counts.
enum meaning {
  nothing = 0,
  transfers, // as many bytes as it returns, by the first argument
  transfers_messages,
  sends_file,
  copies,
  splices,
  tees,
  syncs,
  syncs_all,
  opens,
  closes,
  closes_range,
  duplicates,
  executes,
  ends
};

__attribute__((visibility("hidden"))) extern const uint8_t dragnet_meanings[number_limit];
const uint8_t dragnet_meanings[number_limit] = {
    [SYS_write] = transfers,
    [SYS_pwrite64] = transfers,
    [SYS_writev] = transfers,
    [SYS_pwritev] = transfers,
    [SYS_pwritev2] = transfers,
    [SYS_read] = transfers | DRAGNET_READ << 4,
    [SYS_pread64] = transfers | DRAGNET_READ << 4,
    [SYS_readv] = transfers | DRAGNET_READ << 4,
    [SYS_preadv] = transfers | DRAGNET_READ << 4,
    [SYS_preadv2] = transfers | DRAGNET_READ << 4,
    [SYS_sendto] = transfers | DRAGNET_SENT << 4,
    [SYS_sendmsg] = transfers | DRAGNET_SENT << 4,
    [SYS_recvfrom] = transfers | DRAGNET_RECEIVED << 4,
    [SYS_recvmsg] = transfers | DRAGNET_RECEIVED << 4,
    [SYS_sendmmsg] = transfers_messages | DRAGNET_SENT << 4,
    [SYS_recvmmsg] = transfers_messages | DRAGNET_RECEIVED << 4,
    [SYS_sendfile] = sends_file,
    [SYS_copy_file_range] = copies,
    [SYS_splice] = splices,
    [SYS_vmsplice] = transfers | DRAGNET_SPLICED << 4,
    [SYS_tee] = tees,
    [SYS_fsync] = syncs,
    [SYS_fdatasync] = syncs,
    [SYS_sync_file_range] = syncs,
    [SYS_syncfs] = syncs,
    [SYS_sync] = syncs_all,
    [SYS_msync] = syncs_all,
    [SYS_open] = opens,
    [SYS_openat] = opens,
    [SYS_openat2] = opens,
    [SYS_creat] = opens,
    [SYS_close] = closes,
    [SYS_close_range] = closes_range,
    [SYS_dup2] = duplicates,
    [SYS_dup3] = duplicates,
    [SYS_execve] = executes,
    [SYS_execveat] = executes,
    [SYS_exit_group] = ends};

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

static inline unsigned meaning_of(long number) {
  return dragnet_meanings[number] & 15u;
}

static inline uint32_t kind_of(long number) {
  return dragnet_meanings[number] >> 4;
}

#define FOR_ASSEMBLY __attribute__((visibility("hidden"), used))

FOR_ASSEMBLY long dragnet_carry_out(const struct hooked* hooked, long number, uint64_t rbp);
FOR_ASSEMBLY void dragnet_count(const struct counted* counted, uint32_t number, uint64_t rbp);

static bool only_counts(uint32_t number) {
  return number < number_limit && meaning_of(number) != nothing && meaning_of(number) < closes;
}

static bool is_wanted(uint32_t number) {
  return number < number_limit && dragnet_meanings[number] != nothing;
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
  if (meaning == closes)
    watch_forget_descriptors((uint32_t)call->rdi, (uint32_t)call->rdi);
  else if (meaning == closes_range)
    watch_forget_descriptors((uint32_t)call->rdi, (uint32_t)call->rsi);
  else if (meaning == duplicates)
    watch_forget_descriptors((uint32_t)call->rsi, (uint32_t)call->rsi);
  else if ((meaning == ends || meaning == executes) && is_process_of_ledger())
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
  case transfers_messages:
    add(from, kind_of(number), call->rdi,
        (long)message_bytes((const struct mmsghdr*)call->rsi, result));
    break;
  case sends_file:
    add(from, DRAGNET_WRITTEN, call->rdi, result);
    add(from, DRAGNET_READ, call->rsi, result);
    break;
  case copies:
    add(from, DRAGNET_READ, call->rdi, result);
    add(from, DRAGNET_WRITTEN, call->rdx, result);
    break;
  case splices:
    add(from, DRAGNET_SPLICED, call->rdx, result);
    break;
  case tees:
    add(from, DRAGNET_SPLICED, call->rsi, result);
    break;
  case syncs:
    add(from, DRAGNET_SYNCED, call->rdi, result == 0);
    break;
  case syncs_all:
    watch(from, DRAGNET_SYNCED, DRAGNET_NO_FILE, result == 0);
    break;
  case opens:
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
  if (meaning_of(number) == transfers)
    add(from, kind_of(number), call->rdi, result);
  else
    count_special(call, number, result, from);
  watch_end();
}

long dragnet_carry_out(const struct hooked* hooked, long number, uint64_t rbp) {
  const struct call* call = &hooked->call;
  const unsigned meaning = meaning_of(number);
  if (meaning >= closes)
    before(call, meaning);
  if (meaning == executes)
    return start_program(number, (const long[]){(long)call->rdi, (long)call->rsi, (long)call->rdx,
                                                (long)call->r10, (long)call->r8});
  const long result = raw_call6(number, (long)call->rdi, (long)call->rsi, (long)call->rdx,
                                (long)call->r10, (long)call->r8, (long)call->r9);
  if (meaning >= closes)
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
