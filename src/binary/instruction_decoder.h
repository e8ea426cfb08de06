// Decodes the instructions of a function in order, whatever its machine.
#pragma once

#include "binary/elf_file.h"
#include "binary/instruction.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dragnet::binary {

class InstructionDecoder {
public:
  InstructionDecoder(Machine machine, const Place& place) : machine_(machine), place_(place) {}

  /// The instruction at the beginning of some code; its length is 0 if there is none.
  void decode(std::span<const std::byte> code, std::uint64_t address, Instruction& into);

  /// The same, but bytes that are no instruction are taken for one, as they are.
  void decode_any(std::span<const std::byte> code, std::uint64_t address, Instruction& into);

  /// The same, slower, with the operation.
  void decode_plainly(std::span<const std::byte> code, std::uint64_t address, Instruction& into);

private:
  void take_as_it_is(std::span<const std::byte> code, Instruction& into) const;

  Machine machine_;
  Place place_;
  ArmDecoder arm_;
};

/// Where constants in code can be addresses: nowhere, unless the program is linked for one place.
Place place_of(const ElfFile& file);

} // namespace dragnet::binary
