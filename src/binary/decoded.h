// The code of all functions of a program, decoded once: a hash of each function, and a list of what
// they refer to outside themselves.
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
  bool was_number = false; ///< it looked like a number at first
};

/// Four bytes in a function's code that lead to something outside it.
struct Hole {
  std::uint32_t at = 0;         ///< their offset in the function
  std::uint32_t number = 0;     ///< of a mention: its instruction; otherwise the function called
  std::uint8_t rest = 0;        ///< bytes from here to the end of the instruction
  Refers how = Refers::Nothing; ///< Nothing: something else that has to be decoded to be known
  std::uint8_t width = 0;
  bool mentioned = false;
};

/// One function's part in the lists of Decoded.
struct DecodedFunction {
  std::uint64_t hash = 0; ///< of its instructions and of what is in the function or called by name
  std::uint32_t instructions = 0; ///< without padding
  std::uint32_t steps = 0;        ///< instructions and paddings
  bool copied = false;            ///< its lengths are in the list of the earlier build
  std::size_t first_length = 0;
  std::size_t first_mention = 0;
  std::size_t first_hole = 0;
};

/// The code of a program and what is known before it is decoded; all must outlive what uses it.
struct Code {
  const ElfFile& file;
  std::span<const Range> ranges;
  const FunctionIndex& index;
  std::span<const std::uint64_t> name_hashes; ///< by function; 0 if it has no name

  /// The bytes of a function.
  std::span<const std::byte> bytes_of(const Range& range) const {
    const Section* section = file.section_at(range.address);
    return section->content.subspan(range.address - section->address, range.size);
  }

  /// The function with a name that begins at an address, or none.
  std::uint32_t named_at(std::uint64_t address) const {
    const std::uint32_t number = index.at(address);
    return number != FunctionIndex::none && ranges[number].address == address &&
                   name_hashes[number] != 0
               ? number
               : FunctionIndex::none;
  }
};

struct Decoded {
  std::vector<DecodedFunction> functions;
  std::vector<std::uint8_t> lengths; ///< one per instruction or padding
  std::vector<Mention> mentions;     ///< by function and order
  std::vector<Hole> holes;           ///< by function and offset

  const Decoded* earlier = nullptr; ///< what copied functions were copied from; outlives this

  std::span<const std::uint8_t> lengths_of(const DecodedFunction& function) const {
    const Decoded& holder = function.copied ? *earlier : *this;
    return std::span(holder.lengths).subspan(function.first_length, function.steps);
  }

  std::span<const Mention> mentions_of(std::size_t function) const {
    const std::size_t first = functions[function].first_mention;
    const std::size_t end =
        function + 1 < functions.size() ? functions[function + 1].first_mention : mentions.size();
    return std::span(mentions).subspan(first, end - first);
  }

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

/// Whether what is decoded will serve a later build.
enum class ForLater : std::uint8_t { No, Yes };

/// Decodes all functions, on two cores.
Decoded decode_functions(const Code& code, ForLater for_later);

/// The same for a program of which an earlier build was decoded. Where a function's bytes are as
/// they were but for what the linker filled in, nothing has to be decoded: the same bytes are the
/// same instructions. The earlier one must outlive the result.
Decoded decode_functions(const Code& code, const Code& earlier, const Decoded& earlier_decoded);

} // namespace dragnet::binary
