// A file of code, laid out in our memory as programs have it in theirs, so that its unwind tables
// can be read as those of a program itself (runtime/frame_rules.h).
#pragma once

#include "runtime/code.h"
#include "runtime/frame_rules.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace dragnet::tracer {

/// Memory that is given back with its owner.
class Mapping {
public:
  Mapping() = default;
  Mapping(void* at, std::size_t size) : at_(at), size_(size) {}
  ~Mapping();
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  bool is_there() const { return at_ != nullptr; }
  std::byte* bytes() const { return static_cast<std::byte*>(at_); }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(at_); }
  std::size_t size() const { return size_; }

private:
  void* at_ = nullptr;
  std::size_t size_ = 0;
};

class LoadedFile {
public:
  /// The file at a path, if it is an ELF file of this machine with this inode; null otherwise.
  static std::unique_ptr<LoadedFile> load(const std::filesystem::path& path, std::uint64_t inode);

  /// What the kernel itself puts into every program.
  static std::unique_ptr<LoadedFile> virtual_library();

  /// How to get to the caller from a place in the file.
  frame_rule rule_at(std::uint64_t file_offset) const;

private:
  // A part of the file that is loaded.
  struct Part {
    std::uint64_t file_offset = 0;
    std::uint64_t size = 0;
    std::uint64_t address = 0; // in the file's own terms
  };

  bool read_parts(const std::byte* bytes, std::size_t size);
  bool map_parts(int file, const Mapping& whole);
  void make_table(std::uint64_t entries);
  std::uint64_t in_memory(std::uint64_t address) const { return address - lowest_ + code_.image; }

  Mapping memory_;
  std::vector<Part> parts_;
  std::uint64_t lowest_ = 0; // address, of a page
  std::uint64_t highest_ = 0;
  std::uint64_t table_ = 0; // .eh_frame_hdr
  std::uint64_t table_size_ = 0;
  code code_{};
};

} // namespace dragnet::tracer
