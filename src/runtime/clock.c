// dragnet-clock.so, a plugin for QEMU's user mode: a clock for the program inside that goes on by
// one with each instruction, so that costs of calls are the same in every run.
//
// The emulated program and QEMU share one address space, at a distance that the first translation
// tells. The count lies in a page there, and the program reads it like any memory. Threads share
// it; a forked child goes on with a copy.
//
// A block counts when it begins, as a whole.

#define _GNU_SOURCE
#include "runtime/instruction_clock.h"
#include "runtime/qemu_plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int qemu_plugin_version = 1;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t distance;
static uint64_t* count;

static void make_clock(void) {
  void* page = mmap((void*)(DRAGNET_CLOCK_AT + distance), sizeof *count, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (page == MAP_FAILED) {
    fprintf(stderr, "dragnet-clock: no room for the clock\n");
    exit(125);
  }
  count = page;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  const size_t instructions = qemu_plugin_tb_n_insns(block);
  if (instructions == 0)
    return;
  if (count == NULL) {
    distance = (uint64_t)qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(block, 0)) -
               qemu_plugin_tb_vaddr(block);
    pthread_once(&once, make_clock);
  }
  qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, count, instructions);
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info* info,
                                 int argument_count, char** arguments) {
  (void)argument_count, (void)arguments;
  if (info->system_emulation || strcmp(info->target_name, "x86_64") != 0) {
    fprintf(stderr, "dragnet-clock: only programs for x86-64 can be counted\n");
    return -1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  return 0;
}
