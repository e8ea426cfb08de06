// A function's instructions as they are decoded, one after the other: their bytes without what the
// linker filled in, to be hashed as a whole, and what they refer to.
#pragma once

#include "binary/instruction.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::binary {

/// A reference of an instruction of a function.
struct Noted {
  std::uint32_t order = 0; ///< the number of the instruction
  std::uint32_t start = 0; ///< its offset in the function
  std::uint32_t place = 0; ///< where in the text eight bytes wait for what it means
  std::uint8_t length = 0; ///< of the instruction
  Reference reference;
};

/// Room for a function's steps, used for one after the other.
class Steps {
public:
  /// For a function of so many bytes.
  void begin(std::size_t size);

  /// Adds the instruction at `offset`, whose bytes begin the rest of the function's code.
  void add(const Instruction& instruction, std::span<const std::byte> rest);

  /// Adds a reference of the instruction at `offset`; the text waits for what it means.
  void note(std::uint8_t length, const Reference& reference);

  /// The number of the instruction at an offset; between, if none begins there. Padding counts as
  /// the instruction after it.
  std::uint32_t number_at(std::uint64_t at) const {
    return (numbers[at] & ~std::uint64_t{UINT32_MAX}) == stamp
               ? static_cast<std::uint32_t>(numbers[at])
               : between;
  }

  /// Says what a reference means.
  void fill_in(const Noted& reference, std::uint64_t meaning);

  std::uint64_t hash() const;

  static constexpr std::uint32_t between = UINT32_MAX;

  // The decoder of usual instructions writes these itself, for speed.
  std::vector<std::byte> text;          ///< what is hashed
  std::vector<std::uint8_t> lengths;    ///< of instructions and padding, which has padding_flag
  std::vector<std::uint64_t> numbers;   ///< by offset: the instruction that begins there, stamped
  std::vector<Noted> noted;             ///< what they refer to, in their order
  std::vector<std::uint32_t> in_thread; ///< those with an operand relative to the thread pointer
  std::uint64_t stamp = 0;              ///< saves clearing what earlier functions left
  std::size_t instructions = 0;         ///< how many there are so far
  std::size_t count = 0;                ///< with padding
  std::size_t end = 0;                  ///< of the text
  std::size_t offset = 0;               ///< of the next instruction in the function

private:
  void write(const Instruction& instruction, std::span<const std::byte> rest);
};

} // namespace dragnet::binary
