// What system calls do, by their numbers, as far as it is counted; for C and C++.
#pragma once

#include <stdint.h>

// NOLINTBEGIN(modernize-use-using, readability-identifier-naming): this is a header of C
#ifdef __cplusplus
extern "C" {
#endif

enum { CALL_NUMBER_LIMIT = 512 };

enum call_meaning {
  CALL_DOES_NOTHING = 0,
  CALL_TRANSFERS, // as many bytes as it returns, by the first argument
  CALL_TRANSFERS_MESSAGES,
  CALL_SENDS_FILE,
  CALL_COPIES,
  CALL_SPLICES,
  CALL_TEES,
  CALL_SYNCS,
  CALL_SYNCS_ALL,
  CALL_OPENS,
  CALL_CLOSES, // from here on it does nothing that is counted
  CALL_CLOSES_RANGE,
  CALL_DUPLICATES,
  CALL_EXECUTES,
  CALL_ENDS
};

#ifndef CALL_MEANINGS_ELSEWHERE // the kernel has a table of its own
// The lower half of a byte says what a call does, the upper half as what it counts (enum
// dragnet_use_kind).
__attribute__((visibility("hidden"))) extern const uint8_t dragnet_meanings[CALL_NUMBER_LIMIT];

static inline unsigned meaning_of(long number) {
  return dragnet_meanings[number] & 15U;
}

static inline uint32_t kind_of(long number) {
  return dragnet_meanings[number] >> 4;
}
#endif

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-use-using, readability-identifier-naming)
