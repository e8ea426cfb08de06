#include "binary/decoded.h"
#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/mix.h"
#include "binary/ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

// Where constants can be addresses: nowhere, unless the program is linked for one place.
Place place_of(const ElfFile& file) {
  if (!file.has_fixed_place() || file.sections().empty())
    return {};
  const Section& last = file.sections().back();
  return {.low = file.sections().front().address, .high = last.address + last.size};
}

// Bytes that are no instruction are taken as they are.
Instruction unknown(std::span<const std::byte> code, Machine machine) {
  const std::size_t length =
      std::min<std::size_t>(machine == Machine::AArch64 ? 4 : 1, code.size());
  return {.length = static_cast<std::uint8_t>(length),
          .padding = false,
          .in_thread = false,
          .mentioned = 0,
          .shape = hash_of(code.first(length)),
          .references = {}};
}

class FunctionDecoder {
public:
  FunctionDecoder(const ElfFile& file, std::span<const Range> ranges, const FunctionIndex& index,
                  std::span<const std::uint64_t> name_hashes)
      : file_(file), ranges_(ranges), index_(index), name_hashes_(name_hashes),
        place_(place_of(file)) {}

  Decoded decode_all() {
    result_.functions.reserve(ranges_.size());
    std::uint64_t bytes = 0;
    for (const Range& range : ranges_)
      bytes += range.size;
    // Four bytes are a usual length of an instruction.
    result_.tokens.reserve(bytes / 4);
    result_.lengths.reserve(bytes / 4);
    for (std::size_t number = 0; number < ranges_.size(); ++number)
      decode(static_cast<std::uint32_t>(number));
    return std::move(result_);
  }

private:
  void decode(std::uint32_t number) {
    const Range& range = ranges_[number];
    const Section* section = file_.section_at(range.address);
    read_instructions(range,
                      section->content.subspan(range.address - section->address, range.size));
    DecodedFunction function{.hash = 0,
                             .instructions = 0,
                             .first_token = result_.tokens.size(),
                             .first_length = first_length_};
    for (Instruction& instruction : instructions_) {
      std::uint64_t hash = instruction.shape;
      token_ = instruction.shape;
      for (std::size_t i = 0; i < instruction.mentioned; ++i) {
        Reference& reference = instruction.references.at(i);
        if (reference.how == Refers::Constant && is_thread_offset(function.instructions))
          reference.how = Refers::ThreadLocal;
        hash = mix(hash, refer(number, function.instructions, reference));
      }
      function.hash = mix(function.hash, hash);
      result_.tokens.push_back(static_cast<std::uint16_t>(token_ >> 48U));
      ++function.instructions;
    }
    result_.functions.push_back(function);
  }

  void read_instructions(const Range& range, std::span<const std::byte> code) {
    instructions_.clear();
    numbers_.assign(code.size(), Decoded::between);
    first_length_ = result_.lengths.size();
    ArmDecoder arm;
    for (std::size_t at = 0; at < code.size();) {
      const auto rest = code.subspan(at);
      Instruction& instruction = instructions_.emplace_back();
      if (file_.machine() == Machine::X86)
        decode_x86(rest, range.address + at, place_, instruction);
      else
        instruction = arm.decode(rest, range.address + at);
      if (instruction.length == 0)
        instruction = unknown(rest, file_.machine());
      numbers_[at] = static_cast<std::uint32_t>(instructions_.size() - 1);
      at += instruction.length;
      result_.lengths.push_back(static_cast<std::uint8_t>(
          instruction.length | (instruction.padding ? Decoded::padding : 0)));
      if (instruction.padding)
        instructions_.pop_back();
    }
  }

  // Whether the number that an instruction moves is used as an offset from the thread pointer soon.
  bool is_thread_offset(std::size_t instruction) const {
    constexpr std::size_t soon = 4;
    const std::size_t end = std::min(instructions_.size(), instruction + 1 + soon);
    return file_.thread_local_size() > 0 &&
           std::any_of(instructions_.begin() + static_cast<std::ptrdiff_t>(instruction) + 1,
                       instructions_.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const Instruction& later) { return later.in_thread; });
  }

  // What a reference adds to the hash at once; the rest is noted.
  std::uint64_t refer(std::uint32_t number, std::uint32_t order, const Reference& reference) {
    if (reference.how == Refers::Constant) {
      token_ ^= mix(reference.target, 5);
      return reference.target;
    }
    const Range& range = ranges_[number];
    const bool to_code = reference.how == Refers::Jump || reference.how == Refers::Call;
    const std::uint64_t offset = reference.target - range.address;
    if (to_code && offset < range.size && numbers_[offset] != Decoded::between)
      return numbers_[offset];
    const std::uint32_t callee = to_code ? index_.at(reference.target) : FunctionIndex::none;
    if (callee != FunctionIndex::none && ranges_[callee].address == reference.target &&
        name_hashes_[callee] != 0) {
      token_ ^= name_hashes_[callee];
      return name_hashes_[callee];
    }
    result_.mentions.push_back({.function = number, .order = order, .reference = reference});
    return 0;
  }

  const ElfFile& file_;
  std::span<const Range> ranges_;
  const FunctionIndex& index_;
  std::span<const std::uint64_t> name_hashes_;
  Place place_;
  Decoded result_;
  std::vector<Instruction> instructions_; ///< of the present function, without padding
  std::vector<std::uint32_t> numbers_;    ///< by offset: the instruction that begins there
  std::size_t first_length_ = 0;
  std::uint64_t token_ = 0;
};

} // namespace

void InstructionFinder::open(std::size_t function) {
  const auto& functions = decoded_.functions;
  const std::size_t end = function + 1 < functions.size() ? functions[function + 1].first_length
                                                          : decoded_.lengths.size();
  numbers_.clear();
  std::uint32_t number = 0;
  for (std::size_t i = functions[function].first_length; i < end; ++i) {
    const std::uint8_t length = decoded_.lengths[i];
    numbers_.push_back(number);
    numbers_.resize(numbers_.size() + (length & ~unsigned{Decoded::padding}) - 1, Decoded::between);
    number += (length & Decoded::padding) == 0 ? 1 : 0;
  }
  function_ = function;
}

std::uint32_t InstructionFinder::at(std::size_t function, std::uint64_t offset) {
  if (function != function_)
    open(function);
  return offset < numbers_.size() ? numbers_[offset] : Decoded::between;
}

Decoded decode_functions(const ElfFile& file, std::span<const Range> ranges,
                         const FunctionIndex& index, std::span<const std::uint64_t> name_hashes) {
  return FunctionDecoder(file, ranges, index, name_hashes).decode_all();
}

} // namespace dragnet::binary
