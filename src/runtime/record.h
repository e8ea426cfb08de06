// The counts file of this process, mapped into it: what is added here is kept however the process
// ends. A forked child goes on with the same records, at the same addresses, in a file of its own
// whose counts begin at zero, so that nothing is counted twice.
#pragma once

#include "runtime/counts_format.h"

#include <stdbool.h>
#include <stdint.h>

#define RECORD_NONE 0xffffffffu

/// Makes the file below a folder and maps it; false when that is impossible.
bool record_open(const char* folder);

/// The index of a block, added if it is new; RECORD_NONE when there is no room. One at a time.
uint32_t record_block(const struct dragnet_block* block);
const struct dragnet_block* record_block_at(uint32_t index);
uint64_t* record_count_of(uint32_t block);

/// The index of a stretch of a file, added if it is new; DRAGNET_NO_MODULE when there is no room.
/// One at a time.
uint32_t record_module(const struct dragnet_module* place, const char* path);
const struct dragnet_module* record_module_at(uint32_t index);
bool record_module_has_path(uint32_t index, const char* path, uint64_t path_size);

/// Counts one transfer between two blocks; from any thread.
void record_edge(uint32_t from, uint32_t to);
