// Counts what the running thread does under its stack.
#pragma once

#include "runtime/stack_walk.h"
#include "runtime/stacks_format.h"

#include <stdbool.h>
#include <stdint.h>

/// Begins to count in this thread; false where a handler of a signal interrupted counting, and what
/// it does is lost.
bool watch_begin(void);
void watch_end(void);

/// Between these: adds a call that did an amount to a file (or DRAGNET_NO_FILE), from a place.
void watch(struct registers from, uint32_t kind, uint32_t file, uint64_t amount);

/// Between these: the number of the file that a descriptor stands for.
uint32_t file_of_descriptor(int descriptor);

/// Descriptors from one to another (included) stand for something else from now on.
void forget_descriptors(uint32_t first, uint32_t last);

/// Makes room for descriptors; false when there is none.
bool watch_open(void);

/// Code was unloaded: what is remembered of stacks holds no longer.
void watch_forget_code(void);

/// In a forked child: begins anew.
void watch_begin_in_child(void);
