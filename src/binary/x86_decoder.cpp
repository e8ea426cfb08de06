// The length of an x86-64 instruction follows from its prefixes, one of a few opcode maps, and its
// ModRM byte (Intel's manual, volume 2, chapter 2 and appendix A). Only that is decoded, and where
// in it an address stands.

#include "binary/instruction.h"
#include "binary/mix.h"
#include "binary/x86_maps.h"
#include "binary/x86_usual.h"
#include "binary/x86_width.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {
namespace {

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
    instruction_.operation = operation_hash();
    instruction_.falls_through = falls_through();
  }

private:
  bool falls_through() const {
    const std::uint8_t opcode = operation_.opcode;
    if (operation_.vector || operation_.map > 1)
      return true;
    if (operation_.map == 1)
      return opcode != 0x0b;
    const bool returns = (opcode & 0xf6U) == 0xc2;
    const bool jumps = opcode == 0xe9 || opcode == 0xeb;
    const bool jumps_indirectly = opcode == 0xff && (modrm_ >> 3U & 6U) == 4;
    return !returns && !jumps && !jumps_indirectly;
  }

  // Of some opcodes a part of ModRM tells the operation.
  bool is_group() const {
    const std::uint8_t opcode = operation_.opcode;
    if (operation_.map == 1)
      return opcode == 0xba || (opcode >= 0x71 && opcode <= 0x73) || opcode == 0xae;
    return operation_.map == 0 && !operation_.vector &&
           ((opcode & 0xfcU) == 0x80 || (opcode & 0xfeU) == 0xc0 || (opcode & 0xfcU) == 0xd0 ||
            (opcode & 0xf6U) == 0xf6);
  }

  // Of others a part of the opcode is a register.
  std::uint8_t opcode_without_register() const {
    const std::uint8_t opcode = operation_.opcode;
    const bool has_register = operation_.map == 0 && !operation_.vector &&
                              ((opcode & 0xf0U) == 0x50 || (opcode & 0xf0U) == 0xb0);
    return has_register ? static_cast<std::uint8_t>(opcode & 0xf8U) : opcode;
  }

  std::uint64_t operation_hash() const {
    if (instruction_.by_shape)
      return instruction_.shape;
    std::uint64_t number = 0;
    const bool refers_by_it =
        instruction_.mentioned > 0 &&
        instruction_.references.at(instruction_.mentioned - 1U).field == immediate_;
    if (at_ > immediate_ && !refers_by_it)
      std::memcpy(&number, &bytes_[immediate_], std::min<std::size_t>(at_ - immediate_, 8));
    const unsigned part = is_group() ? modrm_ >> 3U & 7U : 8U;
    const unsigned in_memory = modrm_ < 0xc0 ? 1 : 0;
    const std::uint64_t parts =
        std::uint64_t{opcode_without_register()} | std::uint64_t{operation_.map} << 8U |
        std::uint64_t{operation_.repeat} << 16U | std::uint64_t{part} << 24U |
        std::uint64_t{in_memory} << 28U | (operation_.half ? 1U << 29U : 0U) |
        (operation_.wide ? 1U << 30U : 0U);
    return mix(mix(parts, operation_.length), number);
  }

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
    reference.field = static_cast<std::uint8_t>(at);
    reference.size = static_cast<std::uint8_t>(size);
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
    instruction_.by_shape = true;
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

void decode_padded(const std::uint8_t* bytes, std::size_t available, std::uint64_t address,
                   const Place& place, Instruction& into) {
  if (available >= longest && decode_usual(bytes, address, place, into))
    return;
  into = {};
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
