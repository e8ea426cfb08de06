// dragnet-counts.so, a plugin for QEMU's user mode: counts how often each block of a program is
// executed, and how often each function is entered by an indirect call or jump or by a branch.
//
// QEMU translates a program block by block; a block is entered at its first instruction only and
// ends with the first jump, call or return. While a block is translated, we ask QEMU to put one
// addition in front of it, to a counter in the counts file. That is all that most blocks cost.
// Instructions of a function are then the sum over its blocks; its calls are the executions of
// blocks that begin where it begins; a direct call is the count of the block that ends with it.
//
// Where an indirect call went cannot be read off the counters. When an entries file says where
// functions begin, three kinds of blocks get a callback: one that may reach an entry in a way that
// its count does not tell leaves its number behind; one that begins at an entry takes the number
// that was left, if any; and one that goes to an entry directly wipes it away, so that what an
// entry finds was left by the block just before it. Numbers are left per thread.
//
// Known limits: the additions are not atomic, so threads that execute the same block at the same
// moment may lose a few; edges are exact. A block that a signal or a fault cuts short counts as
// whole. A signal handler that is entered right after an indirect call that went outside the known
// functions is taken for its target.
//
// Arguments: dir=FOLDER for the counts file, entries=FILE (optional).

#include "runtime/counts_format.h"
#include "runtime/decode.h"
#include "runtime/entries.h"
#include "runtime/modules.h"
#include "runtime/qemu_plugin.h"
#include "runtime/record.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int qemu_plugin_version = 1;

enum { thread_limit = 1 << 16 };

static bool entries_known;
static pthread_mutex_t translating = PTHREAD_MUTEX_INITIALIZER;
// Per thread: the block that may lead to an entry, plus one; and whether a file is being mapped.
static uint32_t left_behind[thread_limit];
static bool maps_a_file[thread_limit];

static uint32_t number_of(const void* context) {
  return (uint32_t)(uintptr_t)context;
}

static void leave(unsigned int thread, void* block) {
  left_behind[thread % thread_limit] = number_of(block) + 1;
}

static void wipe(unsigned int thread, void* block) {
  (void)block;
  left_behind[thread % thread_limit] = 0;
}

static void take(unsigned int thread, void* block) {
  const uint32_t from = left_behind[thread % thread_limit];
  if (from == 0)
    return;
  left_behind[thread % thread_limit] = 0;
  record_edge(from - 1, number_of(block));
}

static void take_and_leave(unsigned int thread, void* block) {
  take(thread, block);
  leave(thread, block);
}

static bool leads_to_entry_unseen(const struct dragnet_block* block) {
  switch (block->ending) {
  case DRAGNET_ENDS_IN_INDIRECT_CALL:
  case DRAGNET_ENDS_IN_INDIRECT_JUMP:
    return true;
  case DRAGNET_ENDS_IN_BRANCH:
    return is_entry(block->module, block->target) ||
           is_entry(block->module, block->start + block->bytes);
  default:
    return false;
  }
}

static bool leads_to_entry_directly(const struct dragnet_block* block) {
  switch (block->ending) {
  case DRAGNET_ENDS_IN_CALL:
  case DRAGNET_ENDS_IN_JUMP:
    return is_entry(block->module, block->target);
  case DRAGNET_ENDS_OTHERWISE:
    return is_entry(block->module, block->start + block->bytes);
  default:
    return false;
  }
}

// An entry that goes to another directly needs no wiping: taking has done it.
static qemu_plugin_execute_cb callback_for(const struct dragnet_block* block) {
  const bool takes = is_entry(block->module, block->start);
  if (leads_to_entry_unseen(block))
    return takes ? take_and_leave : leave;
  if (takes)
    return take;
  return leads_to_entry_directly(block) ? wipe : NULL;
}

static struct dragnet_block block_of(const struct qemu_plugin_tb* translated) {
  const size_t count = qemu_plugin_tb_n_insns(translated);
  const struct qemu_plugin_insn* last = qemu_plugin_tb_get_insn(translated, count - 1);
  const struct qemu_plugin_insn* first = qemu_plugin_tb_get_insn(translated, 0);
  const uint64_t start = qemu_plugin_tb_vaddr(translated);
  const size_t last_size = qemu_plugin_insn_size(last);
  const uint64_t next = qemu_plugin_insn_vaddr(last) + last_size;
  const uint64_t base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(first) - start;
  struct dragnet_block block;
  memset(&block, 0, sizeof block); // it is compared with others as bytes
  block.start = start;
  block.bytes = (uint32_t)(next - start);
  block.module = module_of(start, base);
  block.instructions = (uint32_t)count;
  block.last_size = (uint32_t)last_size;
  block.first_size = (uint32_t)qemu_plugin_insn_size(first);
  decode_ending(qemu_plugin_insn_data(last), last_size, next, &block);
  return block;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb* translated) {
  (void)id;
  if (qemu_plugin_tb_n_insns(translated) == 0)
    return;
  pthread_mutex_lock(&translating);
  const struct dragnet_block block = block_of(translated);
  const uint32_t number = record_block(&block);
  qemu_plugin_execute_cb callback = NULL;
  if (entries_known && number != RECORD_NONE)
    callback = callback_for(&block);
  pthread_mutex_unlock(&translating);
  if (number == RECORD_NONE)
    return;
  qemu_plugin_register_vcpu_tb_exec_inline(translated, QEMU_PLUGIN_INLINE_ADD_U64,
                                           record_count_of(number), 1);
  if (callback != NULL)
    qemu_plugin_register_vcpu_tb_exec_cb(translated, callback, QEMU_PLUGIN_CB_NO_REGS,
                                         (void*)(uintptr_t)number);
}

static void before_syscall(qemu_plugin_id_t id, unsigned int thread, int64_t number, uint64_t a1,
                           uint64_t a2, uint64_t a3, uint64_t a4, uint64_t descriptor, uint64_t a6,
                           uint64_t a7, uint64_t a8) {
  (void)id, (void)a1, (void)a2, (void)a3, (void)a4, (void)a6, (void)a7, (void)a8;
  maps_a_file[thread % thread_limit] = number == SYS_mmap && (int32_t)descriptor >= 0;
}

static void after_syscall(qemu_plugin_id_t id, unsigned int thread, int64_t number,
                          int64_t result) {
  (void)id, (void)result;
  if (number == SYS_mmap && maps_a_file[thread % thread_limit])
    modules_moved();
}

static const char* value_of(const char* name, int count, char** arguments) {
  const size_t size = strlen(name);
  for (int index = 0; index < count; ++index)
    if (strncmp(arguments[index], name, size) == 0 && arguments[index][size] == '=')
      return arguments[index] + size + 1;
  return NULL;
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info* info, int count,
                                 char** arguments) {
  const char* folder = value_of("dir", count, arguments);
  const char* entries = value_of("entries", count, arguments);
  if (info->system_emulation || strcmp(info->target_name, "x86_64") != 0) {
    fprintf(stderr, "dragnet-counts: only programs for x86-64 can be counted\n");
    return -1;
  }
  if (folder == NULL || !record_open(folder)) {
    fprintf(stderr, "dragnet-counts: cannot make a file in %s\n", folder ? folder : "(no dir=)");
    return -1;
  }
  if (entries != NULL && !entries_open(entries)) {
    fprintf(stderr, "dragnet-counts: cannot read %s\n", entries);
    return -1;
  }
  entries_known = entries != NULL;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_vcpu_syscall_cb(id, before_syscall);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, after_syscall);
  return 0;
}
