// Lengths follow from the opcode maps of the architecture's manual: which opcodes have a ModRM
// byte, and how long their immediate operand is.
#include "runtime/instruction_length.h"

#include <string.h>

// What follows an opcode.
enum { modrm = 8, bad = 16, imm8 = 1, imm16 = 2, imm_z = 4 /* 2 with an operand size prefix */ };

struct prefixes {
  bool operand_size;
  bool wide; // REX.W
};

static unsigned one_byte_low(uint8_t opcode) { // below 0x40
  static const uint8_t columns[8] = {modrm, modrm, modrm, modrm, imm8, imm_z, bad, bad};
  return columns[opcode & 7];
}

static unsigned one_byte_middle(uint8_t opcode) { // 0x50 to 0xbf
  if (opcode >= 0x70 && opcode <= 0x7f)
    return imm8;
  if (opcode >= 0xb0 && opcode <= 0xb7)
    return imm8;
  if (opcode >= 0xb8)
    return imm_z;
  if (opcode >= 0x84 && opcode <= 0x8f)
    return modrm;
  switch (opcode) {
  case 0x60:
  case 0x61:
  case 0x82:
  case 0x9a:
    return bad;
  case 0x63:
    return modrm;
  case 0x68:
  case 0xa9:
    return imm_z;
  case 0x69:
  case 0x81:
    return modrm | imm_z;
  case 0x6a:
  case 0xa8:
    return imm8;
  case 0x6b:
  case 0x80:
  case 0x83:
    return modrm | imm8;
  default:
    return 0;
  }
}

static unsigned one_byte_high(uint8_t opcode, uint8_t next) { // from 0xc0
  const bool tests = (next >> 3 & 7) < 2;
  switch (opcode) {
  case 0xc0:
  case 0xc1:
  case 0xc6:
    return modrm | imm8;
  case 0xc7:
    return modrm | imm_z;
  case 0xc2:
  case 0xca:
    return imm16;
  case 0xc8:
    return imm16 | imm8;
  case 0xf6:
    return tests ? modrm | imm8 : modrm;
  case 0xf7:
    return tests ? modrm | imm_z : modrm;
  case 0xcd:
  case 0xeb:
    return imm8;
  case 0xe8:
  case 0xe9:
    return imm_z;
  case 0xce:
  case 0xd4:
  case 0xd5:
  case 0xd6:
  case 0xea:
    return bad;
  default:
    if ((opcode >= 0xd0 && opcode <= 0xd3) || (opcode >= 0xd8 && opcode <= 0xdf) || opcode >= 0xfe)
      return modrm;
    return opcode >= 0xe0 && opcode <= 0xe7 ? imm8 : 0;
  }
}

static unsigned two_byte(uint8_t opcode) {
  if (opcode >= 0x80 && opcode <= 0x8f)
    return imm_z;
  if ((opcode >= 0x30 && opcode <= 0x37) || (opcode >= 0xc8 && opcode <= 0xcf))
    return 0;
  switch (opcode) {
  case 0x04:
  case 0x0a:
  case 0x0c:
  case 0x0f:
    return bad;
  case 0x05:
  case 0x06:
  case 0x07:
  case 0x08:
  case 0x09:
  case 0x0b:
  case 0x0e:
  case 0x77:
  case 0xa0:
  case 0xa1:
  case 0xa2:
  case 0xa8:
  case 0xa9:
  case 0xaa:
    return 0;
  case 0x70:
  case 0x71:
  case 0x72:
  case 0x73:
  case 0xa4:
  case 0xac:
  case 0xba:
  case 0xc2:
  case 0xc4:
  case 0xc5:
  case 0xc6:
    return modrm | imm8;
  default:
    return modrm;
  }
}

static unsigned in_map(unsigned map, uint8_t opcode) {
  if (map == 1)
    return two_byte(opcode);
  if (map == 3)
    return modrm | imm8;
  return map == 2 || map == 5 || map == 6 ? modrm : bad;
}

static bool is_legacy_prefix(uint8_t byte) {
  return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e ||
         (byte >= 0x64 && byte <= 0x67) || byte == 0xf0 || byte == 0xf2 || byte == 0xf3;
}

// The bytes of a ModRM operand, itself included; says whether it counts from the next instruction.
static size_t operand_size(const uint8_t* at, bool* relative) {
  const uint8_t mod = at[0] >> 6;
  const uint8_t rm = at[0] & 7;
  if (mod == 3)
    return 1;
  const size_t index = rm == 4 ? 1 : 0;
  *relative = mod == 0 && rm == 5;
  if (mod == 1)
    return 2 + index;
  if (mod == 2 || *relative || (index == 1 && (at[1] & 7) == 5 && mod == 0))
    return 5 + index;
  return 1 + index;
}

static size_t immediate_size(unsigned shape, const struct prefixes* found, const uint8_t* opcode,
                             bool one_byte) {
  size_t size = (shape & imm8) + (shape & imm16);
  if ((shape & imm_z) == 0)
    return size;
  const bool branch = one_byte ? *opcode == 0xe8 || *opcode == 0xe9 : true;
  if (one_byte && *opcode >= 0xb8 && *opcode <= 0xbf && found->wide)
    return 8;
  return size + (found->operand_size && !branch ? 2 : 4);
}

// Steps over an escape to another opcode map; returns the map, 0 for none, 7 for an unknown one.
static unsigned read_map(const uint8_t** at, struct prefixes* found) {
  const uint8_t first = **at;
  if (first == 0x62 || first == 0xc4 || first == 0xc5) {
    const unsigned map = first == 0xc5 ? 1 : (*at)[1] & (first == 0x62 ? 7 : 31);
    *at += first == 0x62 ? 4 : first == 0xc4 ? 3 : 2;
    return map == 0 ? 7 : map;
  }
  if ((first & 0xf0) == 0x40) {
    found->wide = (first & 8) != 0;
    ++*at;
  }
  if (**at != 0x0f)
    return 0;
  ++*at;
  if (**at != 0x38 && **at != 0x3a)
    return 1;
  ++*at;
  return (*at)[-1] == 0x38 ? 2 : 3;
}

static bool goes_elsewhere(const struct instruction* read, const uint8_t* opcode) {
  if (read->branches)
    return true;
  const uint8_t byte = *opcode;
  if (!read->one_byte)
    return byte == 0x05 || byte == 0x34 || byte == 0x0b;
  return byte == 0xc2 || byte == 0xc3 || byte == 0xca || byte == 0xcb || byte == 0xcc ||
         byte == 0xcd || byte == 0xcf || byte == 0xf4 ||
         (byte == 0xff && (opcode[1] >> 3 & 7) >= 2 && (opcode[1] >> 3 & 7) <= 5);
}

static void find_target(struct instruction* read, const uint8_t* start, unsigned map) {
  const uint8_t byte = read->opcode;
  const bool near = (map == 0 && (byte == 0xe8 || byte == 0xe9)) ||
                    (map == 1 && byte >= 0x80 && byte <= 0x8f && start[read->prefixes - 1] == 0x0f);
  const bool here = map == 0 && ((byte >= 0x70 && byte <= 0x7f) || byte == 0xeb ||
                                 (byte >= 0xe0 && byte <= 0xe3));
  read->branches = near || here;
  const uint64_t next = (uint64_t)(start + read->size);
  if (near) {
    int32_t distance;
    memcpy(&distance, start + read->size - 4, sizeof distance);
    read->target = next + (uint64_t)(int64_t)distance;
  } else if (here) {
    read->target = next + (uint64_t)(int64_t)(int8_t)start[read->size - 1];
  }
}

struct instruction read_instruction(const uint8_t* start, const uint8_t* end) {
  struct instruction read = {0};
  if (end - start < 15) // the longest instruction; code is followed by more of it
    return read;
  struct prefixes found = {0};
  const uint8_t* at = start;
  for (; is_legacy_prefix(*at); ++at) {
    found.operand_size |= *at == 0x66;
    if (at - start > 10)
      return read;
  }
  const unsigned map = read_map(&at, &found);
  read.prefixes = (uint8_t)(at - start);
  read.opcode = *at;
  read.one_byte = map == 0;
  unsigned shape;
  if (map != 0)
    shape = in_map(map, *at);
  else if (*at < 0x40)
    shape = one_byte_low(*at);
  else if (*at < 0xc0)
    shape = one_byte_middle(*at);
  else
    shape = one_byte_high(*at, at[1]);
  if ((shape & bad) != 0 || (map == 0 && (*at & 0xf0) == 0x40))
    return read;
  bool relative = false;
  const uint8_t* const opcode = at;
  ++at;
  if ((shape & modrm) != 0)
    at += operand_size(at, &relative);
  if (map == 0 && *opcode >= 0xa0 && *opcode <= 0xa3)
    at += 8;
  at += immediate_size(shape, &found, opcode, map == 0);
  read.size = (size_t)(at - start);
  find_target(&read, start, map);
  read.movable = !relative && !goes_elsewhere(&read, opcode);
  return read;
}
