#include "binary/instruction_decoder.h"
#include "binary/elf_file.h"
#include "binary/instruction.h"
#include "binary/mix.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {

void InstructionDecoder::decode(std::span<const std::byte> code, std::uint64_t address,
                                Instruction& into) {
  if (machine_ == Machine::X86) {
    decode_x86(code, address, place_, into);
    return;
  }
  into = arm_.decode(code, address);
  into.by_shape = true;
  std::uint32_t word = 0;
  if (into.length == sizeof word)
    std::memcpy(&word, code.data(), sizeof word);
  // What is left of a word says the operation, as a rule.
  into.operation = into.mentioned > 0 ? into.shape : mix(word >> 21U, 7);
}

void InstructionDecoder::decode_any(std::span<const std::byte> code, std::uint64_t address,
                                    Instruction& into) {
  decode(code, address, into);
  if (into.length == 0)
    take_as_it_is(code, into);
}

void InstructionDecoder::decode_plainly(std::span<const std::byte> code, std::uint64_t address,
                                        Instruction& into) {
  if (machine_ == Machine::X86) {
    into = {};
    decode_x86_plainly(code, address, place_, into);
  } else {
    decode(code, address, into);
  }
  if (into.length == 0)
    take_as_it_is(code, into);
}

void InstructionDecoder::take_as_it_is(std::span<const std::byte> code, Instruction& into) const {
  const std::size_t unit = machine_ == Machine::AArch64 ? 4 : 1;
  into = {};
  into.length = static_cast<std::uint8_t>(std::min(unit, code.size()));
  into.shape = into.operation = hash_of(code.first(into.length));
}

Place place_of(const ElfFile& file) {
  if (!file.has_fixed_place() || file.sections().empty())
    return {};
  const Section& last = file.sections().back();
  return {.low = file.sections().front().address, .high = last.address + last.size};
}

} // namespace dragnet::binary
