// Counts files made in memory, for tests of their reader.
#pragma once

#include "runtime/counts_format.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

/// A counts file with room for a few records of each kind.
class CountsImage {
public:
  CountsImage() {
    header.magic = DRAGNET_COUNTS_MAGIC;
    header.process = 7;
    header.module_capacity = 4;
    header.path_capacity = 64;
    header.block_capacity = 8;
    header.edge_capacity = 4;
    bytes.resize(dragnet_counts_size(&header));
  }

  std::uint32_t add_module(std::uint64_t start, std::uint64_t end, const std::string& path) {
    const dragnet_module module{start, end, 0x1000, header.path_count, path.size()};
    put(DRAGNET_HEADER_SIZE + header.module_count * sizeof module, module);
    std::memcpy(&bytes[dragnet_paths_at(&header) + header.path_count], path.data(), path.size());
    header.path_count += static_cast<std::uint32_t>(path.size());
    return header.module_count++;
  }

  std::uint32_t add_block(const dragnet_block& block, std::uint64_t count) {
    put(dragnet_blocks_at(&header) + header.block_count * sizeof block, block);
    put(dragnet_block_counts_at(&header) + header.block_count * sizeof count, count);
    return header.block_count++;
  }

  void add_edge(std::uint32_t from, std::uint32_t to, std::uint64_t count) {
    put(dragnet_edges_at(&header) + header.edge_count * sizeof(dragnet_edge),
        dragnet_edge{from, to});
    put(dragnet_edge_counts_at(&header) + header.edge_count * sizeof count, count);
    ++header.edge_count;
  }

  std::span<const std::byte> content() {
    put(0, header);
    return bytes;
  }

  dragnet_counts_header header{};
  std::vector<std::byte> bytes;

private:
  template <class Record>
  void put(std::uint64_t at, const Record& record) {
    std::memcpy(&bytes[at], &record, sizeof record);
  }
};

/// A block of a module by where it starts, how long it is and how it ends.
inline dragnet_block block(std::uint64_t start, std::uint32_t instructions, std::uint32_t ending,
                           std::uint64_t target = 0) {
  return {.start = start,
          .target = target,
          .bytes = instructions * 4,
          .module = 0,
          .instructions = instructions,
          .ending = ending,
          .last_size = 4,
          .first_size = 4};
}

} // namespace dragnet::profile
