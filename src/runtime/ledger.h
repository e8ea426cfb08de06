// The stacks file of this process, mapped into it: what is added here is kept however the process
// ends. A forked child goes on with an empty file of its own.
#pragma once

#include "runtime/code_map.h"
#include "runtime/stacks_format.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEDGER_NONE 0xffffffffu

/// Makes the file below a folder and maps it; false when that is impossible.
bool ledger_open(const char* folder);

/// The folder.
const char* ledger_folder(void);
enum { ledger_folder_size = 3072, ledger_file_capacity = 1 << 16 };

/// Whether this process has a file: false in a child that was forked since. The kernel clears the
/// page of `ledger_state` there.
extern _Atomic uint32_t* ledger_state;
enum { ledger_begun = 2 };
static inline bool ledger_is_ours(void) {
  return atomic_load_explicit(ledger_state, memory_order_acquire) == ledger_begun;
}

/// Gives a forked child a file of its own; what it did before is not in its parent's.
void ledger_begin_in_child(void);

struct dragnet_stacks_header* ledger_header(void);

/// Notes what the kernel has accounted so far.
void ledger_note_start(void);
void ledger_note_end(void);

/// Notes what a read by ourselves returned.
void ledger_own_read(long result);

/// One thread at a time between these.
void ledger_lock(void);
void ledger_unlock(void);

/// Under the lock: notes a stretch of code, or a system call that is not watched.
void ledger_add_module(const struct code* code, const char* path);
void ledger_add_gap(uint64_t address, uint32_t number);

/// The number of a file, of a stack; LEDGER_NONE when there is no room.
uint32_t ledger_file(const char* path, size_t size);
uint32_t ledger_stack(const uint64_t* addresses, uint32_t depth, bool whole);

/// Where a thread counts what it does under a stack; NULL when there is no room.
struct dragnet_use* ledger_use(uint32_t stack, uint32_t file, uint32_t kind, uint32_t thread);

/// Counts a call that found no room.
void ledger_lose(void);

/// Makes stacks that are kept from now on different from those before: code was unloaded.
void ledger_forget_stacks(void);
