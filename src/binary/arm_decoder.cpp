// All AArch64 instructions have four bytes (Arm's reference manual, C4.1). Near addresses stand in
// one instruction; far ones are the page of an ADRP plus the offset in the instruction that uses
// its register.

#include "binary/instruction.h"
#include "binary/mix.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {
namespace {

constexpr std::uint32_t no_operation = 0xd503201f;

struct Form {
  std::uint32_t mask;
  std::uint32_t value;

  bool fits(std::uint32_t word) const { return (word & mask) == value; }
};

constexpr Form jump{0xfc000000, 0x14000000};
constexpr Form call{0xfc000000, 0x94000000};
constexpr Form conditional{0xff000000, 0x54000000};
constexpr Form compare_and_jump{0x7e000000, 0x34000000};
constexpr Form test_and_jump{0x7e000000, 0x36000000};
constexpr Form near_address{0x9f000000, 0x10000000};
constexpr Form page_address{0x9f000000, 0x90000000};
constexpr Form near_load{0x3b000000, 0x18000000};
constexpr Form add_offset{0xff800000, 0x91000000};
constexpr Form load_or_store{0x3b000000, 0x39000000};
constexpr Form any_load_or_store{0x0a000000, 0x08000000};
constexpr Form pair{0x3a000000, 0x28000000};
constexpr Form indexed{0x3b200400, 0x38000400};
constexpr Form any_branch{0x1c000000, 0x14000000};
constexpr Form to_register{0xfe000000, 0xd6000000};
constexpr Form call_register{0xfffffc1f, 0xd63f0000};

constexpr std::uint32_t far_field = 0x03ffffff;
constexpr std::uint32_t middle_field = 0x00ffffe0;
constexpr std::uint32_t short_field = 0x0007ffe0;
constexpr std::uint32_t address_field = 0x60ffffe0;
constexpr std::uint32_t offset_field = 0x003ffc00;

// The bits of a field as a signed number.
std::uint64_t signed_field(std::uint32_t word, unsigned first, unsigned bits) {
  const std::uint64_t field = static_cast<std::uint64_t>(word) >> first << (64U - bits);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(field) >> (64U - bits));
}

std::uint64_t address_number(std::uint32_t word) {
  return signed_field(word, 5, 19) << 2U | (word >> 29U & 3U);
}

// The logarithm of how many bytes a load or store moves.
unsigned scale_of(std::uint32_t word) {
  const bool vector = (word >> 26U & 1U) != 0;
  const bool sixteen = vector && (word >> 23U & 1U) != 0;
  return sixteen ? 4 : word >> 30U;
}

bool is_store(std::uint32_t word) {
  return any_load_or_store.fits(word) && (word >> 22U & 1U) == 0;
}

struct Near {
  Form form;
  Refers how;
  std::uint32_t field;
  unsigned first;
  unsigned bits;
};

constexpr Near near_forms[] = {
    {jump, Refers::Jump, far_field, 0, 26},
    {call, Refers::Call, far_field, 0, 26},
    {conditional, Refers::Jump, middle_field, 5, 19},
    {compare_and_jump, Refers::Jump, middle_field, 5, 19},
    {test_and_jump, Refers::Jump, short_field, 5, 14},
    {near_load, Refers::Memory, middle_field, 5, 19},
};

} // namespace

// What registers hold here: what the instruction before left, and what jumps to here bring.
void ArmDecoder::arrive(std::uint64_t address) {
  const auto brought = at_targets_.find(address);
  if (brought != at_targets_.end()) {
    if (!reached_)
      pages_ = brought->second;
    for (std::size_t i = 0; i < pages_.size(); ++i)
      if (pages_.at(i) == 0)
        pages_.at(i) = brought->second.at(i);
  }
  reached_ = true;
}

void ArmDecoder::leave(std::uint32_t word, std::uint64_t target) {
  if (call.fits(word)) {
    // A call keeps only registers 19 to 29.
    std::fill(pages_.begin(), pages_.begin() + 19, 0);
    return;
  }
  at_targets_.emplace(target, pages_);
  reached_ = !jump.fits(word);
}

Instruction ArmDecoder::decode(std::span<const std::byte> code, std::uint64_t address) {
  Instruction instruction = decode_word(code, address);
  instruction.falls_through = reached_;
  return instruction;
}

Instruction ArmDecoder::decode_word(std::span<const std::byte> code, std::uint64_t address) {
  std::uint32_t word = 0;
  if (code.size() < sizeof word)
    return {};
  std::memcpy(&word, code.data(), sizeof word);
  arrive(address);
  Instruction instruction;
  instruction.length = sizeof word;
  instruction.padding = word == no_operation;
  for (const Near& near : near_forms) {
    if (!near.form.fits(word))
      continue;
    const std::uint64_t target = address + (signed_field(word, near.first, near.bits) << 2U);
    instruction.mentioned = 1;
    instruction.references[0] = {.how = near.how, .width = 16, .certain = true, .target = target};
    instruction.shape = mix(word & ~near.field, 1);
    if (near.how != Refers::Memory)
      leave(word, target);
    else
      forget_written(word);
    return instruction;
  }
  if (near_address.fits(word)) {
    instruction.mentioned = 1;
    instruction.references[0] = {.how = Refers::Address,
                                 .width = 0,
                                 .certain = true,
                                 .target = address + address_number(word)};
    instruction.shape = mix(word & ~address_field, 1);
    pages_[word & 31U] = 0;
  } else if (page_address.fits(word)) {
    pages_[word & 31U] = (address & ~std::uint64_t{0xfff}) + (address_number(word) << 12U);
    instruction.shape = mix(word & ~address_field, 1);
  } else {
    refer(instruction, word);
    forget_written(word);
  }
  return instruction;
}

void ArmDecoder::refer(Instruction& instruction, std::uint32_t word) {
  const std::uint64_t page = pages_[word >> 5U & 31U];
  const std::uint64_t offset = word >> 10U & 0xfffU;
  const bool moves = load_or_store.fits(word);
  const bool adds = add_offset.fits(word) && (word >> 22U & 1U) == 0;
  instruction.shape = mix(word, 0);
  if (page == 0 || !(moves || adds))
    return;
  const unsigned scale = moves ? scale_of(word) : 0;
  instruction.mentioned = 1;
  instruction.references[0] = {.how = moves ? Refers::Memory : Refers::Address,
                               .width = static_cast<std::uint8_t>(moves ? 1U << scale : 0U),
                               .certain = true,
                               .target = page + (offset << scale)};
  instruction.shape = mix(word & ~offset_field, 1);
}

void ArmDecoder::forget_written(std::uint32_t word) {
  if (to_register.fits(word)) {
    if (call_register.fits(word))
      std::fill(pages_.begin(), pages_.begin() + 19, 0);
    else
      reached_ = false;
    return;
  }
  if (any_branch.fits(word))
    return;
  const bool vector = any_load_or_store.fits(word) && (word >> 26U & 1U) != 0;
  if (!is_store(word) && !vector)
    pages_[word & 31U] = 0;
  if (pair.fits(word) && !is_store(word) && !vector)
    pages_[word >> 10U & 31U] = 0;
  const bool pair_moves_base = pair.fits(word) && (word >> 23U & 1U) != 0;
  if (indexed.fits(word) || pair_moves_base)
    pages_[word >> 5U & 31U] = 0;
}

} // namespace dragnet::binary
