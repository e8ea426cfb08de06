// The code of all functions of a program, decoded once: a hash of each instruction, and a list of
// what they refer to outside their function.
#pragma once

#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/ranges.h"
#include "model/function.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::binary {

/// Something outside a function that one of its instructions refers to and that still has to be
/// found out.
struct Mention {
  std::uint32_t function = 0;
  std::uint32_t order = 0; ///< the number of the instruction in the function
  Reference reference;
};

/// One function's part in the lists of Decoded.
struct DecodedFunction {
  std::uint64_t hash = 0; ///< of its instructions and of what is in the function or called by name
  std::uint32_t instructions = 0; ///< without padding
  std::size_t first_token = 0;
  std::size_t first_length = 0;
};

struct Decoded {
  std::vector<DecodedFunction> functions;
  std::vector<std::uint16_t> tokens; ///< one per instruction
  std::vector<std::uint8_t> lengths; ///< one per instruction or padding
  std::vector<Mention> mentions;     ///< by function and order

  static constexpr std::uint8_t padding = FunctionTable::padding_flag; ///< in lengths: no count
  static constexpr std::uint32_t between = UINT32_MAX;
};

/// Finds instructions by their offset, fast for one function after the other.
class InstructionFinder {
public:
  explicit InstructionFinder(const Decoded& decoded) : decoded_(decoded) {}

  /// The number of the instruction at an offset of a function; between, if none begins there.
  std::uint32_t at(std::size_t function, std::uint64_t offset);

private:
  void open(std::size_t function);

  const Decoded& decoded_;
  std::size_t function_ = SIZE_MAX;
  std::vector<std::uint32_t> numbers_; ///< of that function, by offset
};

/// `name_hashes`: of each function, 0 if it has no name.
Decoded decode_functions(const ElfFile& file, std::span<const Range> ranges,
                         const FunctionIndex& index, std::span<const std::uint64_t> name_hashes);

} // namespace dragnet::binary
