// Stacks files made in memory, for tests of their reader.
#pragma once

#include "runtime/stacks_format.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

/// A stacks file with room for a few records of each kind.
class StacksImage {
public:
  StacksImage() {
    header.magic = DRAGNET_STACKS_MAGIC;
    header.process = 7;
    header.module_capacity = 4;
    header.gap_capacity = 2;
    header.file_capacity = 4;
    header.text_capacity = 64;
    header.stack_capacity = 4;
    header.word_capacity = 16;
    header.use_capacity = 8;
    bytes.resize(dragnet_stacks_size(&header));
  }

  void add_module(std::uint64_t start, std::uint64_t end, const std::string& path) {
    const auto size = static_cast<std::uint32_t>(path.size());
    const dragnet_stacks_module module{start, end, 0x1000, 1, add_text(path), size, 0};
    put(DRAGNET_STACKS_HEADER_SIZE + header.module_count * sizeof module, module);
    ++header.module_count;
  }

  std::uint32_t add_file(const std::string& path) {
    const dragnet_stacks_file file{add_text(path), static_cast<std::uint32_t>(path.size()), 0};
    put(dragnet_files_at(&header) + header.file_count * sizeof file, file);
    return header.file_count++;
  }

  std::uint32_t add_stack(const std::vector<std::uint64_t>& addresses) {
    const auto depth = static_cast<std::uint32_t>(addresses.size());
    const dragnet_stack stack{0, header.word_count, depth, header.module_count, 1};
    for (const std::uint64_t address : addresses)
      put(dragnet_words_at(&header) + header.word_count++ * sizeof address, address);
    put(dragnet_stacks_at(&header) + header.stack_count * sizeof stack, stack);
    return header.stack_count++;
  }

  void add_use(const dragnet_use& use) {
    put(dragnet_uses_at(&header) + header.use_count * sizeof use, use);
    ++header.use_count;
  }

  void add_gap(const dragnet_gap& gap) {
    put(dragnet_gaps_at(&header) + header.gap_count * sizeof gap, gap);
    ++header.gap_count;
  }

  std::span<const std::byte> content() {
    put(0, header);
    return bytes;
  }

  dragnet_stacks_header header{};
  std::vector<std::byte> bytes;

private:
  std::uint32_t add_text(const std::string& text) {
    const auto at = header.text_count;
    std::memcpy(&bytes[dragnet_texts_at(&header) + at], text.data(), text.size());
    header.text_count += static_cast<std::uint32_t>(text.size());
    return at;
  }

  template <class Record>
  void put(std::uint64_t at, const Record& record) {
    std::memcpy(&bytes[at], &record, sizeof record);
  }
};

} // namespace dragnet::profile
