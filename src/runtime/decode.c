#include "runtime/decode.h"

#include <stdbool.h>
#include <string.h>

static bool is_prefix(uint8_t byte) {
  switch (byte) {
  case 0x26:
  case 0x2e:
  case 0x36:
  case 0x3e: // notrack
  case 0x64:
  case 0x65:
  case 0x66:
  case 0x67:
  case 0xf2: // bnd
  case 0xf3:
    return true;
  default:
    return byte >= 0x40 && byte <= 0x4f; // REX
  }
}

// The target of a relative jump, whose distance is the instruction's last 1 or 4 bytes.
static uint64_t relative(const uint8_t* bytes, size_t size, size_t distance_size, uint64_t next) {
  if (distance_size == 1)
    return next + (uint64_t)(int64_t)(int8_t)bytes[size - 1];
  int32_t distance;
  memcpy(&distance, bytes + size - 4, sizeof distance);
  return next + (uint64_t)(int64_t)distance;
}

static enum dragnet_ending indirect(uint8_t operand) {
  switch (operand >> 3 & 7) {
  case 2:
    return DRAGNET_ENDS_IN_INDIRECT_CALL;
  case 4:
    return DRAGNET_ENDS_IN_INDIRECT_JUMP;
  default:
    return DRAGNET_ENDS_OTHERWISE;
  }
}

struct shape {
  enum dragnet_ending ending;
  size_t distance_size; // 0: not relative
};

static struct shape shape_of(const uint8_t* opcode, size_t left) {
  const uint8_t first = opcode[0];
  const uint8_t second = left > 1 ? opcode[1] : 0;
  if (first >= 0x70 && first <= 0x7f)
    return (struct shape){DRAGNET_ENDS_IN_BRANCH, 1};
  if (first == 0x0f && second >= 0x80 && second <= 0x8f)
    return (struct shape){DRAGNET_ENDS_IN_BRANCH, 4};
  switch (first) {
  case 0xe0:
  case 0xe1:
  case 0xe2:
  case 0xe3:
    return (struct shape){DRAGNET_ENDS_IN_BRANCH, 1};
  case 0xe8:
    return (struct shape){DRAGNET_ENDS_IN_CALL, 4};
  case 0xe9:
    return (struct shape){DRAGNET_ENDS_IN_JUMP, 4};
  case 0xeb:
    return (struct shape){DRAGNET_ENDS_IN_JUMP, 1};
  case 0xff:
    return (struct shape){indirect(second), 0};
  case 0xc2:
  case 0xc3:
    return (struct shape){DRAGNET_ENDS_IN_RETURN, 0};
  default:
    return (struct shape){DRAGNET_ENDS_OTHERWISE, 0};
  }
}

void decode_ending(const uint8_t* bytes, size_t size, uint64_t next, struct dragnet_block* block) {
  size_t at = 0;
  while (at + 1 < size && is_prefix(bytes[at]))
    ++at;
  struct shape shape = shape_of(bytes + at, size - at);
  // Of an instruction at the end of a page, only the beginning may be there.
  if (size - at <= shape.distance_size)
    shape = (struct shape){DRAGNET_ENDS_OTHERWISE, 0};
  block->ending = shape.ending;
  block->target = shape.distance_size == 0 ? 0 : relative(bytes, size, shape.distance_size, next);
}
