// Which file of code lies where in this process, and where its unwind tables are, from
// /proc/self/maps. One thread at a time.
#pragma once

#include "runtime/code.h"

#include <stdint.h>

/// What is called for each stretch; `path` ends with a zero byte.
typedef void (*code_visitor)(const struct code* found, const char* path);

/// Shows all stretches of executable memory.
void each_code(code_visitor visit);

/// The stretch that holds an address, looked up again where it is new, or NULL.
const struct code* code_at(uint64_t address);

/// Forgets all stretches: something was unloaded, or this is another process.
void forget_code(void);

/// Where the mapping ends that holds an address, with all that follow it without a gap; 0: none.
uint64_t mapped_until(uint64_t address);
