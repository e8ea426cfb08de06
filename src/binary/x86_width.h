// How many bytes an x86-64 instruction reads or writes in memory, which its length does not need.
#pragma once

#include <cstdint>

namespace dragnet::binary {

/// What the prefixes and the opcode say.
struct Operation {
  std::uint8_t map = 0; ///< 0: one byte, 1: 0F, 2: 0F 38, 3: 0F 3A, others by EVEX
  std::uint8_t opcode = 0;
  std::uint8_t repeat = 0;  ///< F2, F3 or 0
  bool half = false;        ///< 66
  bool wide = false;        ///< REX.W or its like
  bool vector = false;      ///< VEX or EVEX
  std::uint32_t length = 0; ///< of vectors: 0 for 16 bytes, 1 for 32, 2 for 64
};

/// The bytes at the memory operand; an upper bound where the exact number depends on more. 0 if
/// only the address is taken.
std::uint8_t accessed_width(const Operation& operation, std::uint8_t modrm);

} // namespace dragnet::binary
