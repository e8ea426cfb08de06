// What the plugin left of one process, read from its counts file (runtime/counts_format.h).
#pragma once

#include "base/result.h"
#include "runtime/counts_format.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

struct ProcessCounts {
  struct Module {
    std::string path;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t file_offset = 0; ///< of `start`
  };
  struct Edge {
    std::uint32_t from = 0; ///< an index of a block, as `to`
    std::uint32_t to = 0;
    std::uint64_t count = 0;
  };

  std::uint32_t process = 0;
  std::uint32_t parent = 0;
  std::vector<Module> modules;
  std::vector<dragnet_block> blocks;
  std::vector<std::uint64_t> counts; ///< of the blocks, in their order
  std::vector<Edge> edges;
};

/// The content of a counts file. Fails where it is damaged, cut, or says that something was lost.
Result<ProcessCounts> parse_counts(std::span<const std::byte> content);

/// The content of all counts files in a folder.
Result<std::vector<ProcessCounts>> read_counts(const std::filesystem::path& folder);

} // namespace dragnet::profile
