// How to get from a place in the code to its caller, from the tables that unwind exceptions
// (.eh_frame, as the System V ABI and DWARF describe them), as compact rules. For C and C++.
#pragma once

#include "runtime/code.h"

#include <stdbool.h>
#include <stdint.h>

// NOLINTBEGIN(readability-identifier-naming): this is a header of C
#ifdef __cplusplus
extern "C" {
#endif

enum frame_base {
  FRAME_UNKNOWN = 0,
  FRAME_FROM_RSP,      // the frame's address is rsp + base_offset
  FRAME_FROM_RBP,      // rbp + base_offset
  FRAME_BEHIND_RBP,    // the word at rbp + base_offset
  FRAME_OF_SIGNAL,     // the kernel put it there: all registers stand at rsp
  FRAME_OF_FIRST_CODE, // nothing called it
};

enum rbp_place { RBP_KEPT = 0, RBP_IN_FRAME, RBP_AT_RBP, RBP_UNKNOWN };

struct frame_rule {
  int32_t base_offset;
  int32_t rbp_offset;    // from the frame's address or rbp
  int32_t return_offset; // from the frame's address
  uint8_t base;          // enum frame_base
  uint8_t rbp;           // enum rbp_place
  uint16_t zero;
};

/// A stretch of code that the tables describe in one entry.
struct described {
  uint64_t start;
  uint64_t size; // 0: there is none
};

/// The rule for an address; one with FRAME_UNKNOWN where the tables do not say or say it in a way
/// that this does not know.
struct frame_rule read_rule(const struct code* code, uint64_t address);

/// The entry that holds an address.
struct described described_at(const struct code* code, uint64_t address);

#ifdef __cplusplus
}
#endif
// NOLINTEND(readability-identifier-naming)
