#include "binary/ranges.h"
#include "binary/elf_file.h"
#include "binary/unwind_ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace dragnet::binary {
namespace {

bool in_code(const ElfFile& file, std::uint64_t address) {
  const Section* section = file.section_at(address);
  return section != nullptr && section->executable && !section->name.starts_with(".plt");
}

// The compiler's own start files refer to the ends of sections, which move with everything.
constexpr std::string_view start_file = "crtstuff.c";

std::vector<Symbol> function_symbols(const ElfFile& file) {
  std::vector<Symbol> symbols;
  for (const Symbol& symbol : file.symbols())
    if (symbol.kind == SymbolKind::Function && symbol.file != start_file &&
        in_code(file, symbol.address))
      symbols.push_back(symbol);
  return symbols;
}

// Of several names for one address the most visible counts, then the first in the alphabet, so that
// two builds choose alike.
bool named_before(const Symbol& a, const Symbol& b) {
  return std::tuple(a.address, -static_cast<int>(a.binding), a.size == 0, a.name) <
         std::tuple(b.address, -static_cast<int>(b.binding), b.size == 0, b.name);
}

void add_unwound(std::vector<Range>& ranges, const ElfFile& file) {
  std::vector<Range> unwound = unwind_ranges(file);
  std::erase_if(unwound, [&](const Range& range) { return !in_code(file, range.address); });
  ranges.insert(ranges.end(), unwound.begin(), unwound.end());
  std::ranges::stable_sort(ranges, {}, &Range::address);
  const auto same = std::ranges::unique(ranges, {}, &Range::address);
  ranges.erase(same.begin(), same.end());
}

// Ends each range before the next one and within its section.
void trim(std::vector<Range>& ranges, const ElfFile& file) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    Range& range = ranges[i];
    const Section* section = file.section_at(range.address);
    std::uint64_t limit = section->address + section->content.size();
    if (i + 1 < ranges.size())
      limit = std::min(limit, ranges[i + 1].address);
    const std::uint64_t room = limit > range.address ? limit - range.address : 0;
    range.size = range.size == 0 ? room : std::min(range.size, room);
  }
  std::erase_if(ranges, [](const Range& range) { return range.size == 0; });
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

} // namespace

std::vector<Range> function_ranges(const ElfFile& file) {
  std::vector<Symbol> symbols = function_symbols(file);
  std::ranges::sort(symbols, named_before);
  std::vector<Range> ranges;
  ranges.reserve(symbols.size());
  for (const Symbol& symbol : symbols)
    if (ranges.empty() || ranges.back().address != symbol.address)
      ranges.push_back({.address = symbol.address,
                        .size = symbol.size,
                        .name = symbol.name,
                        .file = symbol.file});
  if (!file.has_full_symbols())
    add_unwound(ranges, file);
  trim(ranges, file);
  return ranges;
}

std::string_view without_copy_number(std::string_view name) {
  for (;;) {
    std::size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1]))
      --end;
    if (end == name.size() || end < 2 || name[end - 1] != '.')
      return name;
    name = name.substr(0, end - 1);
  }
}

} // namespace dragnet::binary
