#include "binary/x86_usual.h"
#include "binary/instruction.h"
#include "binary/steps.h"
#include "binary/x86_maps.h"
#include "binary/x86_width.h"
#include "model/function.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {
namespace {

// At most one prefix that is not a segment's and REX, then an opcode of the first two maps. What
// they are made of is computed rather than branched upon: a branch that is guessed wrong costs
// more than all of it.
enum Usual : std::uint16_t {
  UsualModrm = 1,
  ImmediateSize = 2 | 4 | 8, // shifted by one
  UsualLong = 16,            // the immediate is of two bytes, if the operands are
  Moves = 32,                // the immediate may be an address or an offset
  UsualJump = 64,
  UsualNear = 128,
  UsualTest = 256, // has an immediate, if the operation in ModRM is a test
  Padding = 512,
  Unusual = 1024
};

constexpr std::uint16_t usual_of(std::uint8_t follows) {
  if ((follows & (Bad | Offset | Short)) != 0)
    return Unusual;
  const bool byte = (follows & (Byte | Near)) != 0;
  const unsigned immediate = byte ? 1 : (follows & (Long | Far)) != 0 ? 4 : 0;
  return static_cast<std::uint16_t>(((follows & Modrm) != 0 ? UsualModrm : 0) | immediate << 1U |
                                    ((follows & Long) != 0 ? UsualLong : 0) |
                                    ((follows & (Near | Far)) != 0 ? UsualJump : 0) |
                                    ((follows & Near) != 0 ? UsualNear : 0));
}

constexpr std::array<std::size_t, 15> unusual_opcodes{
    0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x62, 0x64, 0x65, 0x66, 0x67, 0xc4, 0xc5, 0xf0, 0xf2, 0xf3};

using UsualMap = std::array<std::uint16_t, 512>;

constexpr UsualMap usual_map() {
  UsualMap map{};
  for (std::size_t opcode = 0; opcode < 256; ++opcode) {
    map.at(opcode) = usual_of(one_byte.at(opcode));
    map.at(256 + opcode) = usual_of(two_bytes.at(opcode));
  }
  // Prefixes, and what only looks like an opcode.
  for (const std::size_t opcode : unusual_opcodes)
    map.at(opcode) = Unusual;
  for (std::size_t rex = 0x40; rex < 0x50; ++rex)
    map.at(rex) = Unusual;
  map.at(256 + 0x38) = map.at(256 + 0x3a) = map.at(256 + 0x0f) = Unusual;
  map.at(0xf6) = UsualModrm | UsualTest | 1U << 1U;
  map.at(0xf7) = UsualModrm | UsualTest | UsualLong | 4U << 1U;
  map.at(0x90) |= Padding;
  map.at(256 + 0x1f) |= Padding;
  map.at(0xc7) |= Moves;
  for (std::size_t opcode = 0xb8; opcode < 0xc0; ++opcode)
    map.at(opcode) |= Moves;
  return map;
}

constexpr UsualMap usual = usual_map();

// What follows a ModRM byte: the bytes of the displacement, and whether a SIB byte comes first.
constexpr unsigned has_sib = 8;

constexpr std::array<std::uint8_t, 256> after_modrm_map() {
  std::array<std::uint8_t, 256> map{};
  for (std::size_t modrm = 0; modrm < 0xc0; ++modrm) {
    const std::size_t mode = modrm >> 6U;
    const std::size_t base = modrm & 7U;
    unsigned follows = mode == 1 ? 1 : mode == 2 ? 4 : base == 5 ? 4 : 0;
    if (base == 4)
      follows |= has_sib;
    map.at(modrm) = static_cast<std::uint8_t>(follows);
  }
  return map;
}

constexpr std::array<std::uint8_t, 256> after_modrm = after_modrm_map();

template <class Number>
std::uint64_t distance_at(const std::uint8_t* bytes) {
  Number number{};
  std::memcpy(&number, bytes, sizeof number);
  return static_cast<std::uint64_t>(std::int64_t{number});
}

// An instruction as far as prefixes and opcode tell.
struct Head {
  std::size_t at = 0; // what follows
  std::uint8_t prefix = 0;
  bool wide = false;
  std::size_t map = 0;
  std::uint8_t opcode = 0;
  std::uint8_t modrm = 0; // if there is one
  std::uint8_t sib = 0;
  unsigned entry = 0;

  bool half() const { return prefix == 0x66; }
  std::uint8_t repeat() const { return half() ? 0 : prefix; }
};

// One if it is so: a number to count with, where `?:` may become a branch.
inline unsigned one_if(bool condition) {
  return static_cast<unsigned>(condition);
}

// Shifting a word takes a fraction of the time of loading the next byte, and the next instruction
// waits for it.
inline Head head_of(const std::uint8_t* bytes) {
  Head head;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const unsigned first = word & 0xffU;
  const unsigned prefixed = one_if(first == 0x66) | one_if((first & 0xfeU) == 0xf2);
  word >>= 8U * prefixed;
  head.wide = (word & 0xf8U) == 0x48;
  const unsigned rex = one_if((word & 0xf0U) == 0x40);
  word >>= 8U * rex;
  const unsigned second = one_if((word & 0xffU) == 0x0f);
  word >>= 8U * second;
  head.prefix = static_cast<std::uint8_t>(first & (0U - prefixed));
  head.map = std::size_t{second} << 8U;
  head.opcode = static_cast<std::uint8_t>(word);
  head.modrm = static_cast<std::uint8_t>(word >> 8U);
  head.sib = static_cast<std::uint8_t>(word >> 16U);
  head.entry = usual[head.map + head.opcode];
  head.at = std::size_t{prefixed} + rex + second + 1;
  return head;
}

// Where the parts after the opcode lie.
struct Tail {
  std::uint8_t modrm = 0xff;
  bool relative = false;
  std::size_t displacement = 0;
  std::size_t displacement_size = 0;
  bool number = false; // has a long immediate
  std::size_t end = 0;
};

inline Tail tail_of(const Head& head) {
  Tail tail;
  const unsigned has_modrm = head.entry & UsualModrm;
  const unsigned next = after_modrm[head.modrm] & (0U - has_modrm);
  const unsigned sib = (next & has_sib) / has_sib;
  const unsigned no_base = sib & one_if(head.modrm < 0x40) & one_if((head.sib & 7U) == 5);
  tail.modrm = static_cast<std::uint8_t>(head.modrm | (has_modrm - 1U));
  tail.relative = (tail.modrm & 0xc7U) == 0x05;
  tail.displacement_size = (next & 7U) | no_base << 2U;
  tail.displacement = head.at + has_modrm + sib;
  const unsigned no_test =
      one_if((head.entry & UsualTest) != 0) & one_if((head.modrm & 0x30U) != 0);
  const unsigned immediate = (head.entry & ImmediateSize) >> 1U & (no_test - 1U);
  tail.number = immediate == 4 && (head.entry & UsualLong) != 0;
  const unsigned shorter = one_if(tail.number) & one_if(head.half()) & one_if(!head.wide);
  tail.end = tail.displacement + tail.displacement_size + immediate - 2 * std::size_t{shorter};
  return tail;
}

// What may be an address without being marked as one is left to the general way.
inline bool may_hide_address(const Head& head, const Tail& tail, const Place& place) {
  const bool moved = head.wide && (head.entry & Moves) != 0;
  if (place.high == 0)
    return moved;
  return (tail.displacement_size == 4 && !tail.relative) || tail.number;
}

inline bool is_padding(const Head& head) {
  return (head.entry & Padding) != 0 && (head.map != 0 || head.repeat() == 0);
}

inline bool refers(const Head& head, const Tail& tail) {
  return (one_if((head.entry & UsualJump) != 0) | one_if(tail.relative)) != 0;
}

// The reference of an instruction that refers.
Reference reference_of(const std::uint8_t* bytes, std::uint64_t address, const Head& head,
                       const Tail& tail) {
  const bool near = (head.entry & UsualNear) != 0;
  const std::uint8_t* way = &bytes[tail.displacement];
  Reference reference{.how = head.map == 0 && head.opcode == 0xe8 ? Refers::Call : Refers::Jump,
                      .width = 0,
                      .certain = true,
                      .field = static_cast<std::uint8_t>(tail.displacement),
                      .size = static_cast<std::uint8_t>(near ? 1 : 4),
                      .target =
                          address + tail.end +
                          (near ? distance_at<std::int8_t>(way) : distance_at<std::int32_t>(way))};
  if (tail.relative) {
    reference.width = accessed_width({.map = static_cast<std::uint8_t>(head.map >> 8U),
                                      .opcode = head.opcode,
                                      .repeat = head.repeat(),
                                      .half = head.half(),
                                      .wide = head.wide,
                                      .vector = false,
                                      .length = 0},
                                     tail.modrm);
    reference.how = reference.width == 0 ? Refers::Address : Refers::Memory;
  }
  return reference;
}

std::uint64_t usual_shape(const std::uint8_t* bytes, const Head& head, const Tail& tail) {
  if ((head.entry & UsualJump) != 0)
    return jump_shape(head.map, head.opcode);
  const std::array<Mask, 1> masks{Mask{.at = tail.displacement, .size = 4}};
  return shape_of(bytes, tail.end, std::span(masks).first(tail.relative ? 1 : 0));
}

// Takes the way to the target out of an instruction's bytes; returns how many are left.
inline std::size_t write_reference(std::byte* text, const Head& head, const Tail& tail) {
  if (tail.relative) {
    std::memset(text + tail.displacement, 0, 4);
    return tail.end;
  }
  const std::uint64_t shape = jump_shape(head.map, head.opcode);
  std::memcpy(text, &shape, sizeof shape);
  return sizeof shape;
}

} // namespace

bool decode_usual(const std::uint8_t* bytes, std::uint64_t address, const Place& place,
                  Instruction& into) {
  const Head head = head_of(bytes);
  if ((head.entry & Unusual) != 0)
    return false;
  const Tail tail = tail_of(head);
  if (may_hide_address(head, tail, place))
    return false;
  into.length = static_cast<std::uint8_t>(tail.end);
  into.in_thread = false;
  into.padding = is_padding(head);
  into.by_shape = (head.entry & UsualJump) != 0;
  into.shape = usual_shape(bytes, head, tail);
  into.mentioned = refers(head, tail) ? 1 : 0;
  if (into.mentioned != 0)
    into.references[0] = reference_of(bytes, address, head, tail);
  return true;
}

void decode_usual_ones(std::span<const std::byte> code, std::uint64_t address, const Place& place,
                       Steps& steps) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(code.data());
  // Copies of what changes with each instruction, so that it stays in registers.
  std::uint8_t* lengths = &steps.lengths[steps.count];
  std::byte* text = &steps.text[steps.end];
  std::uint64_t number = steps.stamp | steps.instructions;
  std::size_t offset = steps.offset;
  const auto write_back = [&] {
    steps.count = static_cast<std::size_t>(lengths - steps.lengths.data());
    steps.end = static_cast<std::size_t>(text - steps.text.data());
    steps.instructions = static_cast<std::size_t>(number - steps.stamp);
    steps.offset = offset;
  };
  while (offset + look_ahead <= code.size()) {
    const std::uint8_t* at = bytes + offset;
    const Head head = head_of(at);
    const Tail tail = tail_of(head);
    if ((head.entry & Unusual) != 0 || may_hide_address(head, tail, place))
      break;
    const unsigned padding = one_if(is_padding(head));
    steps.numbers[offset] = number;
    *lengths++ =
        static_cast<std::uint8_t>(tail.end | (std::size_t{padding} * FunctionTable::padding_flag));
    // More than it has: what follows is written over.
    std::memcpy(text, at, 16);
    if (refers(head, tail) && padding == 0) {
      text += write_reference(text, head, tail);
      write_back();
      steps.note(static_cast<std::uint8_t>(tail.end),
                 reference_of(at, address + offset, head, tail));
      text += sizeof(std::uint64_t);
    } else {
      text += (1U - padding) * tail.end;
    }
    number += 1U - padding;
    offset += tail.end;
  }
  write_back();
}

} // namespace dragnet::binary
