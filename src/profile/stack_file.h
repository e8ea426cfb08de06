// What the monitor left of one process, read from its stacks file (runtime/stacks_format.h).
#pragma once

#include "base/result.h"
#include "runtime/stacks_format.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

struct ProcessStacks {
  struct Module {
    std::string path;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t file_offset = 0; ///< of `start`
  };

  dragnet_stacks_header header{};
  std::string name; ///< of the file
  std::vector<Module> modules;
  std::vector<dragnet_gap> gaps;
  std::vector<std::string> files;
  std::vector<dragnet_stack> stacks;
  std::vector<std::uint64_t> words;
  std::vector<dragnet_use> uses;

  /// The module that an address lay in when a stack was kept, or null.
  const Module* module_at(std::uint64_t address, const dragnet_stack& stack) const;
};

/// The content of a stacks file. Fails where it is damaged or cut.
Result<ProcessStacks> parse_stacks(std::span<const std::byte> content);

/// The content of all stacks files in a folder, by name.
Result<std::vector<ProcessStacks>> read_stacks(const std::filesystem::path& folder);

} // namespace dragnet::profile
