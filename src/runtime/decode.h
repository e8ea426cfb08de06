// What the last instruction of a block does, from its bytes (x86-64).
#pragma once

#include "runtime/counts_format.h"

#include <stddef.h>
#include <stdint.h>

/// Fills `ending` and `target` of a block from the bytes of its last instruction; `next` is the
/// address behind it.
void decode_ending(const uint8_t* bytes, size_t size, uint64_t next, struct dragnet_block* block);
