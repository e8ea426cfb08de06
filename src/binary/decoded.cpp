#include "binary/decoded.h"
#include "binary/earlier.h"
#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/instruction_decoder.h"
#include "binary/ranges.h"
#include "binary/steps.h"
#include "binary/x86_usual.h"

#include <algorithm> // IWYU pragma: keep (std::ranges::upper_bound)
#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

class FunctionDecoder {
public:
  FunctionDecoder(const Code& code, Earlier* earlier, ForLater for_later)
      : code_(code), earlier_(earlier), for_later_(for_later), place_(place_of(code.file)) {}

  // Some functions, one after the other.
  Decoded decode(std::size_t first, std::size_t end) {
    result_.functions.reserve(end - first);
    std::uint64_t bytes = 0;
    for (std::size_t number = first; number < end; ++number)
      bytes += code_.ranges[number].size;
    // Four bytes are a usual length of an instruction.
    if (earlier_ == nullptr) {
      result_.lengths.reserve(bytes / 4);
    } else {
      result_.earlier = &earlier_->decoded();
    }
    for (std::size_t number = first; number < end; ++number)
      if (!copy(static_cast<std::uint32_t>(number)))
        decode(static_cast<std::uint32_t>(number));
    return std::move(result_);
  }

private:
  DecodedFunction next() const {
    return {.hash = 0,
            .instructions = 0,
            .steps = 0,
            .copied = false,
            .first_length = result_.lengths.size(),
            .first_mention = result_.mentions.size(),
            .first_hole = result_.holes.size()};
  }

  // Takes over what an earlier build tells, if it does.
  bool copy(std::uint32_t number) {
    if (earlier_ == nullptr)
      return false;
    DecodedFunction function = next();
    const auto same = earlier_->same_as(number, result_.mentions);
    if (!same)
      return false;
    const DecodedFunction& before = earlier_->decoded().functions[*same];
    function.hash = before.hash;
    function.instructions = before.instructions;
    function.steps = before.steps;
    function.copied = true;
    function.first_length = before.first_length;
    result_.functions.push_back(function);
    return true;
  }

  void decode(std::uint32_t number) {
    const Range& range = code_.ranges[number];
    DecodedFunction function = next();
    read_instructions(range.address, code_.bytes_of(range));
    for (Noted& noted : steps_.noted)
      steps_.fill_in(noted, meaning_of(number, noted));
    function.instructions = static_cast<std::uint32_t>(steps_.instructions);
    function.steps = static_cast<std::uint32_t>(steps_.count);
    function.hash = steps_.hash();
    const auto lengths = std::span(steps_.lengths).first(steps_.count);
    result_.lengths.insert(result_.lengths.end(), lengths.begin(), lengths.end());
    result_.functions.push_back(function);
  }

  void read_instructions(std::uint64_t address, std::span<const std::byte> code) {
    InstructionDecoder decoder(code_.file.machine(), place_);
    Instruction instruction;
    steps_.begin(code.size());
    while (true) {
      if (code_.file.machine() == Machine::X86)
        decode_usual_ones(code, address, place_, steps_);
      if (steps_.offset == code.size())
        return;
      const auto rest = code.subspan(steps_.offset);
      decoder.decode_any(rest, address + steps_.offset, instruction);
      steps_.add(instruction, rest);
    }
  }

  // Whether the number that an instruction moves is used as an offset from the thread pointer soon.
  bool is_thread_offset(std::uint32_t order) const {
    constexpr std::uint32_t soon = 4;
    const auto later = std::ranges::upper_bound(steps_.in_thread, order);
    return code_.file.thread_local_size() > 0 && later != steps_.in_thread.end() &&
           *later - order <= soon;
  }

  // What a reference means as far as that is known at once; the rest is mentioned.
  std::uint64_t meaning_of(std::uint32_t number, Noted& noted) {
    Reference& reference = noted.reference;
    const bool number_like = reference.how == Refers::Constant;
    if (number_like) {
      if (!is_thread_offset(noted.order))
        return reference.target;
      reference.how = Refers::ThreadLocal;
    }
    const Range& range = code_.ranges[number];
    const bool to_code = reference.how == Refers::Jump || reference.how == Refers::Call;
    const std::uint64_t offset = reference.target - range.address;
    if (to_code && offset < range.size && steps_.number_at(offset) != Steps::between)
      return steps_.number_at(offset);
    const std::uint32_t callee = to_code ? code_.named_at(reference.target) : FunctionIndex::none;
    if (callee == FunctionIndex::none)
      result_.mentions.push_back({.function = number,
                                  .order = noted.order,
                                  .reference = reference,
                                  .was_number = number_like});
    leave_hole(noted, callee);
    return callee == FunctionIndex::none ? 0 : code_.name_hashes[callee];
  }

  void leave_hole(const Noted& noted, std::uint32_t callee) {
    if (for_later_ == ForLater::No)
      return;
    const Reference& reference = noted.reference;
    const bool told_by_distance =
        reference.size == 4 && reference.certain && reference.how != Refers::ThreadLocal;
    const bool mentioned = callee == FunctionIndex::none;
    result_.holes.push_back({.at = noted.start + reference.field,
                             .number = mentioned ? noted.order : callee,
                             .rest = static_cast<std::uint8_t>(noted.length - reference.field),
                             .how = told_by_distance ? reference.how : Refers::Nothing,
                             .width = reference.width,
                             .mentioned = mentioned});
  }

  const Code& code_;
  Earlier* earlier_;
  ForLater for_later_;
  Place place_;
  Decoded result_;
  Steps steps_; ///< of the present function
};

template <class Item>
void append(std::vector<Item>& all, const std::vector<Item>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void append(Decoded& all, const Decoded& more) {
  all.functions.reserve(all.functions.size() + more.functions.size());
  for (DecodedFunction function : more.functions) {
    function.first_length += all.lengths.size();
    function.first_mention += all.mentions.size();
    function.first_hole += all.holes.size();
    all.functions.push_back(function);
  }
  append(all.lengths, more.lengths);
  append(all.mentions, more.mentions);
  append(all.holes, more.holes);
}

// The first function of the second half of the code.
std::size_t middle_of(std::span<const Range> ranges) {
  std::uint64_t bytes = 0;
  for (const Range& range : ranges)
    bytes += range.size;
  std::uint64_t passed = 0;
  std::size_t number = 0;
  for (; number < ranges.size() && passed < bytes / 2; ++number)
    passed += ranges[number].size;
  return number;
}

// Whether the bytes of code tell the same in both.
bool comparable(const ElfFile& a, const ElfFile& b) {
  return a.machine() == Machine::X86 && b.machine() == Machine::X86 && !a.has_fixed_place() &&
         !b.has_fixed_place() && (a.thread_local_size() > 0) == (b.thread_local_size() > 0);
}

} // namespace

void InstructionFinder::open(std::size_t function) {
  numbers_.clear();
  std::uint32_t number = 0;
  for (const std::uint8_t length : decoded_.lengths_of(decoded_.functions[function])) {
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

Decoded decode_functions(const Code& code, ForLater for_later) {
  const std::size_t middle = middle_of(code.ranges);
  auto second = std::async(std::launch::async, [&] {
    return FunctionDecoder(code, nullptr, for_later).decode(middle, code.ranges.size());
  });
  Decoded all = FunctionDecoder(code, nullptr, for_later).decode(0, middle);
  append(all, second.get());
  return all;
}

Decoded decode_functions(const Code& code, const Code& earlier, const Decoded& earlier_decoded) {
  if (!comparable(code.file, earlier.file))
    return decode_functions(code, ForLater::No);
  Earlier known(earlier, earlier_decoded, code);
  return FunctionDecoder(code, &known, ForLater::No).decode(0, code.ranges.size());
}

} // namespace dragnet::binary
