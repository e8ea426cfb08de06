// The opcode maps of x86-64 and what an instruction is hashed as: what both ways to decode share.
#pragma once

#include "binary/mix.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {

inline constexpr std::size_t longest = 15;

// What follows an opcode.
enum Follows : std::uint8_t {
  Modrm = 1,
  Byte = 2,    // an immediate of a byte
  Short = 4,   // of two bytes
  Long = 8,    // of two or four bytes, by operand size
  Near = 16,   // a relative target of a byte
  Far = 32,    // of four bytes
  Offset = 64, // an absolute address
  Bad = 128
};

using Map = std::array<std::uint8_t, 256>;

constexpr void set(Map& map, std::size_t from, std::size_t to, std::uint8_t follows) {
  for (std::size_t opcode = from; opcode <= to; ++opcode)
    map.at(opcode) = follows;
}

constexpr Map one_byte_map() {
  Map map{};
  for (std::size_t group = 0; group < 0x40; group += 8) {
    set(map, group, group + 3, Modrm);
    map.at(group + 4) = Byte;
    map.at(group + 5) = Long;
    set(map, group + 6, group + 7, Bad);
  }
  set(map, 0x60, 0x62, Bad);
  map[0x63] = Modrm;
  map[0x68] = Long;
  map[0x69] = Modrm | Long;
  map[0x6a] = Byte;
  map[0x6b] = Modrm | Byte;
  set(map, 0x70, 0x7f, Near);
  map[0x80] = map[0x83] = Modrm | Byte;
  map[0x81] = Modrm | Long;
  map[0x82] = Bad;
  set(map, 0x84, 0x8f, Modrm);
  map[0x9a] = Bad;
  set(map, 0xa0, 0xa3, Offset);
  map[0xa8] = Byte;
  map[0xa9] = Long;
  set(map, 0xb0, 0xb7, Byte);
  set(map, 0xb8, 0xbf, Long);
  map[0xc0] = map[0xc1] = map[0xc6] = Modrm | Byte;
  map[0xc2] = map[0xca] = Short;
  map[0xc7] = Modrm | Long;
  map[0xc8] = Short | Byte;
  map[0xcd] = Byte;
  map[0xce] = Bad;
  set(map, 0xd0, 0xd3, Modrm);
  set(map, 0xd4, 0xd6, Bad);
  set(map, 0xd8, 0xdf, Modrm);
  set(map, 0xe0, 0xe3, Near);
  set(map, 0xe4, 0xe7, Byte);
  map[0xe8] = map[0xe9] = Far;
  map[0xea] = Bad;
  map[0xeb] = Near;
  set(map, 0xf6, 0xf7, Modrm); // two of its operations have an immediate
  set(map, 0xfe, 0xff, Modrm);
  return map;
}

constexpr Map two_byte_map() {
  Map map{};
  set(map, 0x00, 0xff, Modrm);
  set(map, 0x04, 0x09, 0);
  map[0x0a] = map[0x0c] = Bad;
  map[0x0b] = map[0x0e] = 0;
  map[0x0f] = Modrm | Byte;
  set(map, 0x30, 0x37, 0);
  set(map, 0x70, 0x73, Modrm | Byte);
  map[0x77] = 0;
  set(map, 0x80, 0x8f, Far);
  set(map, 0xa0, 0xa2, 0);
  set(map, 0xa8, 0xaa, 0);
  map[0xa4] = map[0xac] = map[0xba] = Modrm | Byte;
  map[0xc2] = map[0xc4] = map[0xc5] = map[0xc6] = Modrm | Byte;
  set(map, 0xc8, 0xcf, 0);
  return map;
}

inline constexpr Map one_byte = one_byte_map();
inline constexpr Map two_bytes = two_byte_map();

struct Mask {
  std::size_t at = 0;
  std::size_t size = 0;
};

__extension__ using Wide = unsigned __int128;

// So many ones, for bytes from the beginning; at most 16.
constexpr Wide ones(std::size_t bytes) {
  return bytes >= 16 ? ~Wide{0} : (Wide{1} << (8 * bytes)) - 1;
}

// A hash of the bytes of an instruction, of which some are masked, and of its length.
inline std::uint64_t shape_of(const std::uint8_t* bytes, std::size_t length,
                              std::span<const Mask> masks) {
  Wide words = 0;
  std::memcpy(&words, bytes, sizeof words);
  words &= ones(length);
  for (const Mask& mask : masks)
    words &= ~(ones(mask.size) << (8 * mask.at));
  return mix(mix(static_cast<std::uint64_t>(words), static_cast<std::uint64_t>(words >> 64U)),
             length);
}

// A jump is the same whether its target is near or far.
inline std::uint64_t jump_word(std::size_t map, std::uint8_t opcode) {
  const std::uint64_t near = opcode == 0xe9 ? 0xeb : opcode;
  return map != 0 ? opcode - 0x10U : near;
}

// Its hash: the word, and no length.
inline std::uint64_t jump_shape(std::size_t map, std::uint8_t opcode) {
  return mix(mix(jump_word(map, opcode), 0), 0);
}

// What the decoder may look at beyond the beginning of an instruction.
inline constexpr std::size_t look_ahead = 40;

} // namespace dragnet::binary
