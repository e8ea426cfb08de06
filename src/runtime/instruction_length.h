// How long an instruction is and whether it can be moved to another place (x86-64).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instruction {
  size_t size;      // in bytes; 0: not understood
  bool movable;     // means the same elsewhere
  bool branches;    // jumps or calls by a distance
  uint64_t target;  // of such a branch
  uint8_t opcode;   // the first byte behind the prefixes
  bool one_byte;    // the opcode has no escape
  uint8_t prefixes; // how many bytes stand before the opcode
};

/// Reads the instruction at an address of this process; `end` is where the code ends.
struct instruction read_instruction(const uint8_t* at, const uint8_t* end);
