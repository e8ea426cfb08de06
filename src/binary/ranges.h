// Where the functions of a program begin and end.
#pragma once

#include "binary/elf_file.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace dragnet::binary {

struct Range {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::string_view name; ///< empty if the program does not tell
  std::string_view file; ///< the source of a local function, where it is known

  std::uint64_t end() const { return address + size; }
};

/// The functions of a program by address, none overlapping, from its symbols and, where those are
/// not complete, from its unwind tables.
std::vector<Range> function_ranges(const ElfFile& file);

/// A name without the numbers that compilers append to tell copies apart ("step.constprop.0").
std::string_view without_copy_number(std::string_view name);

} // namespace dragnet::binary
