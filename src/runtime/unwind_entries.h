// The entries of .eh_frame, as the System V ABI describes them, found by .eh_frame_hdr.
// For C and C++.
#pragma once

#include "runtime/code.h"
#include "runtime/frame_rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// NOLINTBEGIN(readability-identifier-naming): this is a header of C
#ifdef __cplusplus
extern "C" {
#endif

// Bytes that are read one after the other; reading beyond the end gives zeros and is noted.
struct cursor {
  const uint8_t* at;
  const uint8_t* end;
  bool failed;
};

/// What an entry says of a stretch of code.
struct entry {
  struct described code;
  struct cursor common_program;
  struct cursor program;
  uint64_t code_unit;
  int64_t data_unit;
  bool of_signal;
  bool found;
};

/// The entry that holds an address; `found` says whether there is one.
struct entry entry_at(const struct code* code, uint64_t address);

/// The entry that begins at an address; `found` is false where it describes no code.
struct entry read_entry(const struct code* code, uint64_t address);

/// Where the entry behind this one begins; 0 behind the last one.
uint64_t next_entry(const struct code* code, uint64_t address);

uint64_t fixed(struct cursor* cursor, size_t size);
uint64_t unsigned_number(struct cursor* cursor);
int64_t signed_number(struct cursor* cursor);

#ifdef __cplusplus
}
#endif
// NOLINTEND(readability-identifier-naming)
