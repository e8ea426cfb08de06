// The length of an x86-64 instruction follows from its prefixes, one of a few opcode maps, and its
// ModRM byte (Intel's manual, volume 2, chapter 2 and appendix A). Only that is decoded, and where
// in it an address stands.

#include "binary/instruction.h"
#include "binary/mix.h"
#include "binary/x86_width.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {
namespace {

constexpr std::size_t longest = 15;

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

constexpr Map one_byte = one_byte_map();
constexpr Map two_bytes = two_byte_map();

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
std::uint64_t shape_of(const std::uint8_t* bytes, std::size_t length, std::span<const Mask> masks) {
  Wide words = 0;
  std::memcpy(&words, bytes, sizeof words);
  words &= ones(length);
  for (const Mask& mask : masks)
    words &= ~(ones(mask.size) << (8 * mask.at));
  return mix(mix(static_cast<std::uint64_t>(words), static_cast<std::uint64_t>(words >> 64U)),
             length);
}

// A jump is the same whether its target is near or far.
std::uint64_t jump_shape(std::size_t map, std::uint8_t opcode) {
  if (map != 0)
    return mix(opcode - 0x10U, 1);
  return mix(opcode == 0xe9 ? 0xeb : opcode, 1);
}

// What the decoder may look at beyond the beginning of an instruction.
constexpr std::size_t look_ahead = 40;

// One instruction being decoded. `bytes` has at least look_ahead bytes.
class Decoder {
public:
  Decoder(const std::uint8_t* bytes, std::size_t available, std::uint64_t address,
          const Place& place, Instruction& into)
      : bytes_(bytes), place_(place), address_(address), available_(std::min(available, longest)),
        instruction_(into) {}

  void decode() {
    instruction_.length = 0;
    instruction_.mentioned = 0;
    read_prefixes();
    const std::uint8_t follows = read_opcode();
    if ((follows & Bad) != 0)
      return;
    if ((follows & Modrm) != 0)
      read_modrm();
    read_immediate(follows);
    if (at_ > available_)
      return;
    instruction_.length = static_cast<std::uint8_t>(at_);
    instruction_.padding = is_padding();
    instruction_.in_thread = segment_;
    refer(follows);
  }

private:
  std::uint8_t next() { return bytes_[at_++]; }

  void read_prefixes() {
    for (;; ++at_) {
      switch (bytes_[at_]) {
      case 0x66:
        operation_.half = true;
        continue;
      case 0x64:
      case 0x65:
        segment_ = true;
        continue;
      case 0xf2:
      case 0xf3:
        operation_.repeat = bytes_[at_];
        continue;
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x67:
      case 0xf0:
        continue;
      default:
        break;
      }
      break;
    }
    if ((bytes_[at_] & 0xf0U) == 0x40)
      operation_.wide = (next() & 8U) != 0;
  }

  std::uint8_t read_opcode() {
    if (at_ >= longest)
      return Bad;
    const std::uint8_t first = next();
    if (first == 0xc5 || first == 0xc4)
      return read_vector_prefix(first == 0xc5 ? 1 : 2);
    if (first == 0x62)
      return read_vector_prefix(3);
    if (first != 0x0f) {
      operation_.opcode = first;
      return one_byte[first];
    }
    operation_.map = 1;
    operation_.opcode = next();
    if (operation_.opcode == 0x38 || operation_.opcode == 0x3a) {
      operation_.map = operation_.opcode == 0x38 ? 2 : 3;
      operation_.opcode = next();
      return operation_.map == 2 ? Modrm : Modrm | Byte;
    }
    return two_bytes[operation_.opcode];
  }

  // VEX in one or two bytes, EVEX in three; then the opcode.
  std::uint8_t read_vector_prefix(std::size_t size) {
    static constexpr std::array<std::uint8_t, 4> repeats{0, 0, 0xf3, 0xf2};
    const std::uint8_t* prefix = &bytes_[at_];
    at_ += size;
    const std::uint8_t last = size == 1 ? prefix[0] : prefix[1];
    operation_.vector = true;
    operation_.half = (last & 3U) == 1;
    operation_.repeat = repeats.at(last & 3U);
    operation_.wide = size > 1 && (last & 0x80U) != 0;
    operation_.map = size == 1 ? 1 : static_cast<std::uint8_t>(prefix[0] & (size == 2 ? 31U : 7U));
    operation_.length = size == 3 ? prefix[2] >> 5U & 3U : last >> 2U & 1U;
    operation_.opcode = next();
    if (operation_.map == 1)
      return static_cast<std::uint8_t>(two_bytes[operation_.opcode] & ~Far);
    return operation_.map == 3 ? Modrm | Byte : Modrm;
  }

  void read_modrm() {
    modrm_ = next();
    const unsigned mode = modrm_ >> 6U;
    const unsigned base = modrm_ & 7U;
    if (mode == 3)
      return;
    displacement_size_ = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    relative_ = mode == 0 && base == 5;
    if (base == 4) {
      const std::uint8_t sib = next();
      based_ = mode != 0 || (sib & 7U) != 5;
      indexed_ = (sib >> 3U & 7U) != 4;
      if (!based_)
        displacement_size_ = 4;
    } else {
      based_ = !relative_;
    }
    if (relative_)
      displacement_size_ = 4;
    displacement_ = at_;
    at_ += displacement_size_;
  }

  void read_immediate(std::uint8_t follows) {
    immediate_ = at_;
    const bool test = operation_.map == 0 && !operation_.vector && (modrm_ >> 3U & 7U) < 2;
    if ((follows & Byte) != 0 || (operation_.opcode == 0xf6 && test))
      ++at_;
    if ((follows & Short) != 0)
      at_ += 2;
    if ((follows & Offset) != 0)
      at_ += 8;
    if ((follows & Near) != 0)
      at_ += 1;
    if ((follows & Far) != 0)
      at_ += 4;
    if ((follows & Long) != 0 || (operation_.opcode == 0xf7 && test)) {
      const bool whole =
          operation_.map == 0 && (operation_.opcode & 0xf8U) == 0xb8 && operation_.wide;
      at_ += whole ? 8 : operation_.half && !operation_.wide ? 2 : 4;
    }
  }

  std::int64_t number_at(std::size_t at, std::size_t size) const {
    std::int64_t wide = 0;
    std::memcpy(&wide, &bytes_[at], size);
    const unsigned unused = 64 - static_cast<unsigned>(8 * size);
    return unused == 0
               ? wide
               : static_cast<std::int64_t>(static_cast<std::uint64_t>(wide) << unused) >> unused;
  }

  std::uint64_t relative_to_next(std::size_t at, std::size_t size) const {
    return address_ + at_ + static_cast<std::uint64_t>(number_at(at, size));
  }

  void add(Reference reference, std::size_t at, std::size_t size) {
    masks_.at(instruction_.mentioned) = {.at = at, .size = size};
    instruction_.references.at(instruction_.mentioned++) = reference;
  }

  void refer(std::uint8_t follows) {
    if ((follows & (Near | Far)) != 0) {
      refer_to_code(follows);
      return;
    }
    if (displacement_size_ == 4)
      refer_by_displacement();
    if ((follows & Long) != 0)
      refer_by_immediate();
    instruction_.shape = shape_of(bytes_, at_, std::span(masks_).first(instruction_.mentioned));
  }

  void refer_to_code(std::uint8_t follows) {
    const std::size_t size = (follows & Near) != 0 ? 1 : 4;
    const bool call = operation_.map == 0 && operation_.opcode == 0xe8;
    const std::uint64_t target = relative_to_next(immediate_, size);
    add({.how = call ? Refers::Call : Refers::Jump, .width = 0, .certain = true, .target = target},
        immediate_, size);
    instruction_.shape = jump_shape(operation_.map, operation_.opcode);
  }

  void refer_by_displacement() {
    const auto number = static_cast<std::uint64_t>(number_at(displacement_, 4));
    const std::uint8_t width = accessed_width(operation_, modrm_);
    const Refers how = width == 0 || indexed_ ? Refers::Address : Refers::Memory;
    if (relative_)
      add({.how = how,
           .width = width,
           .certain = true,
           .target = relative_to_next(displacement_, 4)},
          displacement_, 4);
    else if (segment_ && static_cast<std::int64_t>(number) < 0)
      add({.how = Refers::ThreadLocal, .width = width, .certain = true, .target = number},
          displacement_, 4);
    else if (!segment_ && place_.holds(number))
      add({.how = based_ ? Refers::Address : how,
           .width = width,
           .certain = false,
           .target = number},
          displacement_, 4);
  }

  void refer_by_immediate() {
    const std::size_t size = at_ - immediate_;
    if (size < 4)
      return;
    const auto number = static_cast<std::uint64_t>(number_at(immediate_, size));
    const bool moved = operation_.map == 0 && operation_.opcode == 0xc7 && operation_.wide;
    if (place_.holds(number))
      add({.how = Refers::Address, .width = 0, .certain = false, .target = number}, immediate_,
          size);
    else if (moved && modrm_ >> 6U == 3 && static_cast<std::int64_t>(number) < 0)
      add({.how = Refers::Constant, .width = 0, .certain = true, .target = number}, immediate_,
          size);
  }

  bool is_padding() const {
    if (operation_.vector)
      return false;
    if (operation_.map == 0)
      return operation_.opcode == 0x90 && operation_.repeat == 0;
    return operation_.map == 1 && operation_.opcode == 0x1f;
  }

  const std::uint8_t* bytes_;
  const Place& place_;
  std::uint64_t address_;
  std::size_t available_;
  std::size_t at_ = 0;
  Operation operation_;
  std::uint8_t modrm_ = 0xff;
  bool segment_ = false;
  bool relative_ = false;
  bool based_ = false;
  bool indexed_ = false;
  std::size_t displacement_ = 0;
  std::size_t displacement_size_ = 0;
  std::size_t immediate_ = 0;
  std::array<Mask, 2> masks_;
  Instruction& instruction_;
};

// Usual instructions, some nine of ten: at most an operand-size prefix and REX, then an opcode of
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

// Decodes a usual instruction; false for any other.
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

void decode_padded(const std::uint8_t* bytes, std::size_t available, std::uint64_t address,
                   const Place& place, Instruction& into) {
  if (available < longest || !decode_usual(bytes, address, place, into))
    Decoder(bytes, available, address, place, into).decode();
}

} // namespace

void decode_x86(std::span<const std::byte> code, std::uint64_t address, const Place& place,
                Instruction& into) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(code.data());
  if (code.size() >= look_ahead) {
    decode_padded(bytes, code.size(), address, place, into);
    return;
  }
  std::array<std::uint8_t, look_ahead> padded{};
  std::copy_n(bytes, code.size(), padded.begin());
  decode_padded(padded.data(), code.size(), address, place, into);
}

void decode_x86_plainly(std::span<const std::byte> code, std::uint64_t address, const Place& place,
                        Instruction& into) {
  std::array<std::uint8_t, look_ahead> padded{};
  std::copy_n(reinterpret_cast<const std::uint8_t*>(code.data()), std::min(code.size(), look_ahead),
              padded.begin());
  Decoder(padded.data(), code.size(), address, place, into).decode();
}

} // namespace dragnet::binary
