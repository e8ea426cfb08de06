#include "binary/function_reader.h"
#include "base/result.h"
#include "binary/decoded.h"
#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/instruction_decoder.h"
#include "binary/landmarks.h"
#include "binary/mix.h"
#include "binary/outline.h"
#include "binary/ranges.h"
#include "model/function.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

std::vector<std::uint64_t> hashes_of_names(std::span<const Range> ranges) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(ranges.size());
  for (const Range& range : ranges)
    hashes.push_back(range.name.empty() ? 0 : hash_of(without_copy_number(range.name)));
  return hashes;
}

std::uint64_t hash_of_number(std::uint64_t number) {
  return mix(number, 5);
}

std::uint16_t token_of(std::uint64_t hash) {
  return static_cast<std::uint16_t>(hash >> 48U);
}

bool is_to_code(const Reference& reference) {
  return reference.how == Refers::Jump || reference.how == Refers::Call;
}

std::optional<std::uint64_t> jump_inside(const Instruction& instruction, const Range& range) {
  const Reference& reference = instruction.references[0];
  const bool inside = instruction.mentioned > 0 && reference.how == Refers::Jump &&
                      reference.target - range.address < range.size;
  return inside ? std::optional(reference.target) : std::nullopt;
}

// A function without a name is called after its code.
void name_the_nameless(std::vector<std::uint64_t>& hashes, const Decoded& decoded) {
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (hashes[i] == 0)
      hashes[i] = decoded.functions[i].hash | 1U;
}

// The hashes of the names that several functions have, in order. A table of plain numbers: maps
// cost more than all else that is done with names.
std::vector<std::uint64_t> shared_names(std::span<const Range> ranges) {
  const std::size_t mask = std::bit_ceil((2 * ranges.size()) + 1) - 1;
  std::vector<std::uint64_t> places(mask + 1);
  std::vector<std::uint64_t> shared;
  for (const Range& range : ranges) {
    if (range.name.empty())
      continue;
    const std::uint64_t hash = hash_of(range.name) | 1U;
    std::size_t place = hash >> 20U & mask;
    while (places[place] != 0 && places[place] != hash)
      place = (place + 1) & mask;
    if (places[place] == hash)
      shared.push_back(hash);
    places[place] = hash;
  }
  std::ranges::sort(shared);
  return shared;
}

// Names are unique within a binary: local functions of the same name are told apart by their
// source, and what is left by a number.
void name_functions(FunctionTable& table, std::span<const Range> ranges) {
  const std::vector<std::uint64_t> shared = shared_names(ranges);
  std::unordered_map<std::string, int> used;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    std::string& name = table.functions[i].name;
    name = range.name.empty() ? fmt::format("code-{:016x}", table.functions[i].code_hash)
                              : std::string(range.name);
    if (!range.name.empty() && !std::ranges::binary_search(shared, hash_of(range.name) | 1U))
      continue;
    if (!range.file.empty())
      name += fmt::format("@{}", range.file);
    if (const int number = ++used[name]; number > 1)
      name += fmt::format("#{}", number);
  }
}

} // namespace

Result<std::unique_ptr<FunctionReader>> FunctionReader::open(const std::filesystem::path& path) {
  ElfFile file = TRY(ElfFile::open(path));
  std::vector<Range> ranges = function_ranges(file);
  if (ranges.empty())
    return Error{fmt::format("{} has no functions: neither symbols nor unwind tables tell where "
                             "they are",
                             path.string()),
                 "build it without stripping it (no -s, no strip)"};
  return std::make_unique<FunctionReader>(std::move(file), std::move(ranges));
}

FunctionReader::FunctionReader(ElfFile file, std::vector<Range> ranges)
    : file_(std::move(file)), ranges_(std::move(ranges)), index_(ranges_),
      name_hashes_(hashes_of_names(ranges_)) {}

void FunctionReader::decode(ForLater for_later) {
  decoded_ = decode_functions(code(), for_later);
  name_the_nameless(name_hashes_, decoded_);
}

void FunctionReader::decode_beside(const FunctionReader& earlier) {
  decoded_ = decode_functions(code(), earlier.code(), earlier.decoded_);
  name_the_nameless(name_hashes_, decoded_);
}

FunctionTable FunctionReader::table(const std::string& name) {
  FunctionTable table{.binary = name, .segments = file_.segments(), .functions = {}, .lengths = {}};
  table.functions.reserve(ranges_.size());
  for (std::size_t i = 0; i < ranges_.size(); ++i)
    table.functions.push_back({.name = {},
                               .address = ranges_[i].address,
                               .size = ranges_[i].size,
                               .instructions = decoded_.functions[i].instructions,
                               .code_hash = decoded_.functions[i].hash,
                               .data_hash = 0,
                               .first_length = decoded_.functions[i].first_length});
  landmarks_ = std::make_unique<Landmarks>(Program(code(), decoded_));
  add_landmarks(table);
  name_functions(table, ranges_);
  return table;
}

// Adds what the functions refer to.
void FunctionReader::add_landmarks(FunctionTable& table) {
  for (std::size_t number = 0; number < table.functions.size(); ++number) {
    const auto mentions = decoded_.mentions_of(number);
    if (mentions.empty())
      continue;
    Function& function = table.functions[number];
    const auto& described = landmarks_->describe(mentions);
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      const Landmark& landmark = described[i];
      const std::uint64_t order = mentions[i].order + std::uint64_t{1};
      function.code_hash += mix(order, landmark.identity);
      function.data_hash += landmark.content == 0 ? 0 : mix(order, landmark.content);
    }
  }
}

Outline FunctionReader::outline(std::size_t function) {
  const Range& range = ranges_[function];
  InstructionDecoder decoder(file_.machine(), place_of(file_));
  Instruction instruction;
  Outline outline;
  std::vector<std::uint64_t> starts;
  std::vector<std::pair<std::size_t, std::uint64_t>> jumps;
  auto rest = code().bytes_of(range);
  for (std::uint64_t address = range.address; !rest.empty();) {
    decoder.decode_plainly(rest, address, instruction);
    if (!instruction.padding) {
      if (const auto target = jump_inside(instruction, range))
        jumps.emplace_back(outline.size(), *target);
      outline.push_back(outlined(instruction, range));
      starts.push_back(address);
    }
    address += instruction.length;
    rest = rest.subspan(instruction.length);
  }
  // A jump to padding is one to what comes after it.
  for (const auto& [number, target] : jumps)
    if (const auto at = std::ranges::lower_bound(starts, target); at != starts.end())
      outline[number].target = static_cast<std::uint32_t>(at - starts.begin());
  add_mentions(function, outline);
  return outline;
}

// The names of functions that are called and numbers that are moved take part, whatever those are.
Outlined FunctionReader::outlined(const Instruction& instruction, const Range& range) const {
  std::uint64_t more = 0;
  Outlined result;
  for (const Reference& reference :
       std::span(instruction.references).first(instruction.mentioned)) {
    if (reference.how == Refers::Constant)
      more ^= hash_of_number(reference.target);
    else if (is_to_code(reference) && reference.target - range.address >= range.size)
      result.callee = code().named_at(reference.target);
  }
  if (result.callee != Outlined::none)
    more ^= name_hashes_[result.callee];
  result.token = token_of(instruction.shape ^ more);
  result.operation = token_of(instruction.operation ^ more);
  result.falls_through = instruction.falls_through;
  return result;
}

void FunctionReader::add_mentions(std::size_t function, Outline& outline) {
  const auto mentions = decoded_.mentions_of(function);
  const auto& described = landmarks_->describe(mentions);
  for (std::size_t i = 0; i < mentions.size(); ++i) {
    std::uint16_t more = token_of(described[i].identity);
    // A number that turned out to be an offset is told by what lies there alone.
    if (mentions[i].was_number)
      more ^= token_of(hash_of_number(mentions[i].reference.target));
    outline[mentions[i].order].token ^= more;
    outline[mentions[i].order].operation ^= more;
  }
}

} // namespace dragnet::binary
