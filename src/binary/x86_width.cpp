#include "binary/x86_width.h"

#include <cstdint>

namespace dragnet::binary {
namespace {

std::uint8_t integer_width(const Operation& operation) {
  return operation.wide ? 8 : operation.half ? 2 : 4;
}

std::uint8_t vector_width(const Operation& operation) {
  return static_cast<std::uint8_t>(16U << (operation.length & 3U) & 0x7fU);
}

bool works_on_bytes(std::uint8_t opcode) {
  if (opcode < 0x40)
    return (opcode & 1U) == 0;
  switch (opcode) {
  case 0x80:
  case 0x84:
  case 0x86:
  case 0x88:
  case 0x8a:
  case 0xc0:
  case 0xc6:
  case 0xd0:
  case 0xd2:
  case 0xf6:
  case 0xfe:
    return true;
  default:
    return false;
  }
}

// Of the old floating-point unit.
std::uint8_t floating_width(std::uint8_t opcode, std::uint8_t modrm) {
  const unsigned which = modrm >> 3U & 7U;
  if (opcode == 0xdb && which >= 5)
    return 10;
  return opcode <= 0xdb ? 4 : 8;
}

std::uint8_t one_byte_width(const Operation& operation, std::uint8_t modrm) {
  const std::uint8_t opcode = operation.opcode;
  if (opcode == 0x8d)
    return 0;
  if (works_on_bytes(opcode))
    return 1;
  if (opcode == 0x63)
    return 4;
  if (opcode == 0xff && (modrm >> 3U & 7U) >= 2)
    return 8;
  if (opcode >= 0xd8 && opcode <= 0xdf)
    return floating_width(opcode, modrm);
  return integer_width(operation);
}

// Of scalars and vectors by prefix, with the exceptions of the 0F map.
std::uint8_t packed_width(const Operation& operation) {
  switch (operation.opcode) {
  case 0x12:
  case 0x13:
  case 0x16:
  case 0x17:
    return operation.repeat == 0 ? 8 : vector_width(operation);
  case 0x2e:
  case 0x2f:
    return operation.half ? 8 : 4;
  case 0x5a:
    if (operation.repeat == 0 && !operation.half)
      return static_cast<std::uint8_t>(vector_width(operation) / 2);
    break;
  case 0x6e:
    return operation.wide ? 8 : 4;
  case 0x6f:
  case 0x7f:
  case 0xf0:
    return vector_width(operation);
  case 0x7e:
    return operation.repeat == 0xf3 || operation.wide ? 8 : 4;
  case 0xc4:
    return 2;
  case 0xd6:
    return 8;
  case 0xe6:
    return operation.repeat == 0xf3 ? 8 : vector_width(operation);
  default:
    break;
  }
  if (operation.repeat == 0xf2)
    return 8;
  return operation.repeat == 0xf3 ? 4 : vector_width(operation);
}

bool is_integer(std::uint8_t opcode) {
  return opcode < 0x10 || (opcode >= 0x40 && opcode <= 0x4f) ||
         (opcode >= 0xa0 && opcode <= 0xc1) || opcode == 0xc3 || opcode == 0xc7;
}

std::uint8_t two_byte_width(const Operation& operation) {
  const std::uint8_t opcode = operation.opcode;
  const bool sets_byte = opcode >= 0x90 && opcode <= 0x9f;
  if (operation.vector || (!is_integer(opcode) && !sets_byte))
    return packed_width(operation);
  if (opcode == 0xb6 || opcode == 0xbe || opcode == 0xb0 || opcode == 0xc0 || sets_byte ||
      opcode == 0x0d)
    return 1;
  if (opcode == 0xb7 || opcode == 0xbf)
    return 2;
  if (opcode == 0xc7)
    return 16;
  return integer_width(operation);
}

// Sign and zero extensions, broadcasts, scalar multiply-adds.
std::uint8_t three_byte_width(const Operation& operation) {
  const std::uint8_t whole = vector_width(operation);
  switch (operation.opcode) {
  case 0x18:
  case 0x58:
    return 4;
  case 0x19:
  case 0x59:
    return 8;
  case 0x1a:
  case 0x5a:
    return 16;
  case 0x78:
    return 1;
  case 0x79:
    return 2;
  case 0x20:
  case 0x23:
  case 0x25:
  case 0x30:
  case 0x33:
  case 0x35:
    return static_cast<std::uint8_t>(whole / 2);
  case 0x21:
  case 0x24:
  case 0x31:
  case 0x34:
    return static_cast<std::uint8_t>(whole / 4);
  case 0x22:
  case 0x32:
    return static_cast<std::uint8_t>(whole / 8);
  case 0xf0:
  case 0xf1:
    return integer_width(operation);
  default:
    break;
  }
  const bool scalar = operation.opcode >= 0x96 && operation.opcode <= 0xbf &&
                      (operation.opcode & 9U) == 9U && operation.vector;
  if (scalar)
    return operation.wide ? 8 : 4;
  return whole;
}

std::uint8_t immediate_map_width(const Operation& operation) {
  // Multiply-adds with four operands.
  if (operation.vector && operation.opcode >= 0x5c && operation.opcode <= 0x7f &&
      (operation.opcode & 2U) != 0)
    return (operation.opcode & 1U) != 0 ? 8 : 4;
  switch (operation.opcode) {
  case 0x0a:
  case 0x21:
    return 4;
  case 0x0b:
    return 8;
  case 0x14:
  case 0x20:
    return 1;
  case 0x15:
    return 2;
  case 0x16:
  case 0x22:
    return operation.wide ? 8 : 4;
  default:
    return vector_width(operation);
  }
}

} // namespace

std::uint8_t accessed_width(const Operation& operation, std::uint8_t modrm) {
  switch (operation.map) {
  case 0:
    return one_byte_width(operation, modrm);
  case 1:
    return two_byte_width(operation);
  case 2:
    return three_byte_width(operation);
  case 3:
    return immediate_map_width(operation);
  default:
    return vector_width(operation);
  }
}

} // namespace dragnet::binary
