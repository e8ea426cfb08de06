/* Inputs are pieces of a text that is compressed at the end: "KIND SIZE". */
#include "served.h"

#include <lz4.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_bytes = 1 << 20 };

static char plain[most_bytes];
static char packed[most_bytes + most_bytes / 64];
static char again[most_bytes];
static int size;
static unsigned random_state = 1;

static unsigned chance(void) {
  random_state = random_state * 1664525U + 1013904223U;
  return random_state >> 8;
}

static char byte_of(const char* kind, int at) {
  switch (*kind) {
  case 'r': /* random bytes */
    return (char)chance();
  case 'l': /* random letters of few */
    return "etaoinsh"[chance() % 8];
  case 'z': /* zeros */
    return 0;
  case 'p': /* a period of some bytes */
    return (char)('a' + at % 7);
  case 'c': /* a copy of what was there 1000 bytes ago */
    return size > 1000 ? plain[size - 1000] : 'c';
  case 'f': /* a copy from far */
    return size > 70000 ? plain[size - 66000] : (char)('f' + at % 3);
  default: /* words */
    return at % 6 == 5 ? ' ' : (char)('a' + chance() % 4);
  }
}

void prepare(void) {}

int take(const char* input) {
  const char* const number = strchr(input, ' ');
  const int count = number == NULL ? 0 : atoi(number);
  for (int i = 0; i < count && size < most_bytes; ++i) {
    const char byte = byte_of(input, i);
    plain[size++] = byte;
  }
  return count > 0;
}

int conclude(void) {
  const int made = LZ4_compress(plain, packed, size);
  return LZ4_decompress_safe(packed, again, made, most_bytes) == size &&
         memcmp(plain, again, (size_t)size) == 0;
}
