#include "binary/function_table.h"
#include "base/result.h"
#include "binary/decoded.h"
#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/landmarks.h"
#include "binary/mix.h"
#include "binary/ranges.h"
#include "model/function.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
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

// A function without a name is called after its code.
void name_the_nameless(std::vector<std::uint64_t>& hashes, const Decoded& decoded) {
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (hashes[i] == 0)
      hashes[i] = decoded.functions[i].hash | 1U;
}

// Adds what the functions refer to.
void add_landmarks(FunctionTable& table, const Program& program) {
  Landmarks landmarks(program);
  const std::span<const Mention> mentions = program.decoded.mentions;
  for (std::size_t begin = 0; begin < mentions.size();) {
    std::size_t end = begin;
    while (end < mentions.size() && mentions[end].function == mentions[begin].function)
      ++end;
    Function& function = table.functions[mentions[begin].function];
    const auto& described = landmarks.describe(mentions.subspan(begin, end - begin));
    for (std::size_t i = begin; i < end; ++i) {
      const Landmark& landmark = described[i - begin];
      const std::uint64_t order = mentions[i].order + std::uint64_t{1};
      function.code_hash += mix(order, landmark.identity);
      function.data_hash += landmark.content == 0 ? 0 : mix(order, landmark.content);
      table.tokens[function.first_token + mentions[i].order] ^=
          static_cast<std::uint16_t>(landmark.identity >> 48U);
    }
    begin = end;
  }
}

// Names are unique within a binary: local functions of the same name are told apart by their
// source, and what is left by a number.
void name_functions(FunctionTable& table, std::span<const Range> ranges) {
  std::unordered_map<std::string_view, int> seen;
  seen.reserve(ranges.size());
  for (const Range& range : ranges)
    ++seen[range.name];
  std::unordered_map<std::string, int> used;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    std::string& name = table.functions[i].name;
    name = range.name.empty() ? fmt::format("code-{:016x}", table.functions[i].code_hash)
                              : std::string(range.name);
    if (!range.name.empty() && seen[range.name] == 1)
      continue;
    if (!range.file.empty())
      name += fmt::format("@{}", range.file);
    if (const int number = ++used[name]; number > 1)
      name += fmt::format("#{}", number);
  }
}

FunctionTable table_of(const ElfFile& file, std::span<const Range> ranges) {
  const FunctionIndex index(ranges);
  std::vector<std::uint64_t> names = hashes_of_names(ranges);
  Decoded decoded = decode_functions(file, ranges, index, names);
  name_the_nameless(names, decoded);
  FunctionTable table{.binary = {},
                      .segments = file.segments(),
                      .functions = {},
                      .tokens = std::move(decoded.tokens),
                      .lengths = {}};
  table.functions.reserve(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i)
    table.functions.push_back({.name = {},
                               .address = ranges[i].address,
                               .size = ranges[i].size,
                               .instructions = decoded.functions[i].instructions,
                               .code_hash = decoded.functions[i].hash,
                               .data_hash = 0,
                               .first_token = decoded.functions[i].first_token,
                               .first_length = decoded.functions[i].first_length});
  add_landmarks(
      table,
      {.file = file, .ranges = ranges, .index = index, .name_hashes = names, .decoded = decoded});
  table.lengths = std::move(decoded.lengths);
  name_functions(table, ranges);
  return table;
}

} // namespace

Result<FunctionTable> read_functions(const std::filesystem::path& path, const std::string& name) {
  const ElfFile file = TRY(ElfFile::open(path));
  const std::vector<Range> ranges = function_ranges(file);
  if (ranges.empty())
    return Error{fmt::format("{} has no functions: neither symbols nor unwind tables tell where "
                             "they are",
                             path.string()),
                 "build it without stripping it (no -s, no strip)"};
  FunctionTable table = table_of(file, ranges);
  table.binary = name;
  return table;
}

} // namespace dragnet::binary
