// A whole file in memory; its holes take none.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace dragnet::profile {

class MappedFile {
public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(at_), size_}; }

  /// Whether it begins with zeros, as a process leaves it that was killed before it did anything.
  bool is_unused() const;

private:
  MappedFile(void* at, std::size_t size) : at_(at), size_(size) {}
  void* at_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace dragnet::profile
