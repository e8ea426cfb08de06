#include "binary/x86_usual.h"
#include "binary/instruction.h"
#include "binary/x86_maps.h"
#include "binary/x86_width.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {
namespace {

// At most an operand-size prefix and REX, then an opcode of
// the first two maps. They are decoded without the detours that the others need.
enum Usual : std::uint16_t {
  UsualModrm = 1,
  UsualByte = 2,
  UsualLong = 4,
  UsualNear = 8,
  UsualFar = 16,
  UsualTest = 32, // an immediate, if the operation in ModRM is a test
  Unusual = 64
};

constexpr std::uint16_t usual_of(std::uint8_t follows) {
  if ((follows & (Bad | Offset | Short)) != 0)
    return Unusual;
  return static_cast<std::uint16_t>(
      ((follows & Modrm) != 0 ? UsualModrm : 0) | ((follows & Byte) != 0 ? UsualByte : 0) |
      ((follows & Long) != 0 ? UsualLong : 0) | ((follows & Near) != 0 ? UsualNear : 0) |
      ((follows & Far) != 0 ? UsualFar : 0));
}

constexpr std::array<std::size_t, 15> unusual_opcodes{
    0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x62, 0x64, 0x65, 0x66, 0x67, 0xc4, 0xc5, 0xf0, 0xf2, 0xf3};

constexpr std::array<std::uint16_t, 512> usual_map() {
  std::array<std::uint16_t, 512> map{};
  for (std::size_t opcode = 0; opcode < 256; ++opcode) {
    map.at(opcode) = usual_of(one_byte.at(opcode));
    map.at(256 + opcode) = usual_of(two_bytes.at(opcode));
  }
  // Prefixes, and what only looks like an opcode.
  for (const std::size_t opcode : unusual_opcodes)
    map.at(opcode) = Unusual;
  for (std::size_t rex = 0x40; rex < 0x50; ++rex)
    map.at(rex) = Unusual;
  map.at(0xf6) = map.at(0xf7) = UsualModrm | UsualTest;
  map.at(256 + 0x38) = map.at(256 + 0x3a) = map.at(256 + 0x0f) = Unusual;
  return map;
}

constexpr std::array<std::uint16_t, 512> usual = usual_map();

// What follows a ModRM byte: the bytes of the displacement, and whether a SIB byte comes first.
constexpr std::uint8_t has_sib = 8;

constexpr std::array<std::uint8_t, 256> after_modrm_map() {
  std::array<std::uint8_t, 256> map{};
  for (std::size_t modrm = 0; modrm < 0xc0; ++modrm) {
    const std::size_t mode = modrm >> 6U;
    const std::size_t base = modrm & 7U;
    std::uint8_t follows = mode == 1 ? 1 : mode == 2 ? 4 : base == 5 ? 4 : 0;
    if (base == 4)
      follows |= has_sib;
    map.at(modrm) = follows;
  }
  return map;
}

constexpr std::array<std::uint8_t, 256> after_modrm = after_modrm_map();

template <class Number>
std::int64_t signed_number(const std::uint8_t* bytes) {
  Number number{};
  std::memcpy(&number, bytes, sizeof number);
  return std::int64_t{number};
}

struct UsualJump {
  std::size_t map = 0;
  std::uint8_t opcode = 0;
  bool near = false;
};

// A relative jump or call, whose target begins at `at`.
void decode_jump(const std::uint8_t* bytes, std::size_t at, std::uint64_t address,
                 const UsualJump& jump, Instruction& into) {
  const std::int64_t distance =
      jump.near ? signed_number<std::int8_t>(&bytes[at]) : signed_number<std::int32_t>(&bytes[at]);
  into.length = static_cast<std::uint8_t>(at + (jump.near ? 1 : 4));
  into.padding = false;
  into.in_thread = false;
  into.mentioned = 1;
  into.references[0] = {.how = jump.map == 0 && jump.opcode == 0xe8 ? Refers::Call : Refers::Jump,
                        .width = 0,
                        .certain = true,
                        .target = address + into.length + static_cast<std::uint64_t>(distance)};
  into.shape = jump_shape(jump.map, jump.opcode);
}

// A usual instruction as far as it was read.
struct UsualForm {
  std::size_t at = 0; // what follows
  bool half = false;
  bool wide = false;
  std::size_t map = 0;
  std::uint8_t opcode = 0;
  std::uint16_t follows = 0;
  std::uint8_t modrm = 0xff;
  std::size_t displacement = 0;
  std::size_t displacement_size = 0;

  bool relative() const { return (modrm & 0xc7U) == 0x05; }
  bool test() const { return (follows & UsualTest) != 0 && (modrm >> 3U & 7U) < 2; }
  bool number() const { return (follows & UsualLong) != 0 || (test() && opcode == 0xf7); }
};

UsualForm usual_form(const std::uint8_t* bytes) {
  UsualForm form;
  form.half = bytes[0] == 0x66;
  std::size_t at = form.half ? 1 : 0;
  form.wide = (bytes[at] & 0xf8U) == 0x48;
  at += (bytes[at] & 0xf0U) == 0x40 ? 1 : 0;
  form.map = bytes[at] == 0x0f ? 256 : 0;
  at += form.map == 0 ? 0 : 1;
  form.opcode = bytes[at];
  form.follows = usual[form.map + form.opcode];
  form.at = at + 1;
  return form;
}

void read_usual_operand(const std::uint8_t* bytes, UsualForm& form) {
  form.modrm = bytes[form.at++];
  const std::uint8_t next = after_modrm[form.modrm];
  form.displacement_size = next & 7U;
  if ((next & has_sib) != 0) {
    const bool no_base = form.modrm < 0x40 && (bytes[form.at] & 7U) == 5;
    form.displacement_size = no_base ? 4 : form.displacement_size;
    ++form.at;
  }
  form.displacement = form.at;
  form.at += form.displacement_size;
}

// What may be an address without being marked as one is left to the general way.
bool may_hide_address(const UsualForm& form, const Place& place) {
  const bool placed = place.high != 0 && form.displacement_size == 4 && !form.relative();
  const bool moved = form.wide && (form.opcode == 0xc7 || (form.opcode & 0xf8U) == 0xb8);
  return placed || (form.number() && (place.high != 0 || moved));
}

Reference usual_reference(const std::uint8_t* bytes, std::uint64_t next, const UsualForm& form) {
  const std::uint8_t width = accessed_width({.map = static_cast<std::uint8_t>(form.map >> 8U),
                                             .opcode = form.opcode,
                                             .repeat = 0,
                                             .half = form.half,
                                             .wide = form.wide,
                                             .vector = false,
                                             .length = 0},
                                            form.modrm);
  const auto distance =
      static_cast<std::uint64_t>(signed_number<std::int32_t>(&bytes[form.displacement]));
  return {.how = width == 0 ? Refers::Address : Refers::Memory,
          .width = width,
          .certain = true,
          .target = next + distance};
}

} // namespace

bool decode_usual(const std::uint8_t* bytes, std::uint64_t address, const Place& place,
                  Instruction& into) {
  UsualForm form = usual_form(bytes);
  if ((form.follows & Unusual) != 0)
    return false;
  if ((form.follows & (UsualNear | UsualFar)) != 0) {
    const bool near = (form.follows & UsualNear) != 0;
    decode_jump(bytes, form.at, address, {.map = form.map, .opcode = form.opcode, .near = near},
                into);
    return true;
  }
  if ((form.follows & UsualModrm) != 0)
    read_usual_operand(bytes, form);
  if (may_hide_address(form, place))
    return false;
  const bool byte = (form.follows & UsualByte) != 0 || (form.test() && form.opcode == 0xf6);
  form.at += byte ? 1 : 0;
  if (form.number())
    form.at += form.half && !form.wide ? 2 : 4;
  into.length = static_cast<std::uint8_t>(form.at);
  into.in_thread = false;
  into.padding = form.opcode == (form.map == 0 ? 0x90 : 0x1f);
  into.mentioned = form.relative() ? 1 : 0;
  if (form.relative())
    into.references[0] = usual_reference(bytes, address + form.at, form);
  const std::array<Mask, 1> masks{Mask{.at = form.displacement, .size = 4}};
  into.shape = shape_of(bytes, form.at, std::span(masks).first(into.mentioned));
  return true;
}

} // namespace dragnet::binary
