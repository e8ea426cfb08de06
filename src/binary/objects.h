// The named data of a program.
#pragma once

#include "binary/elf_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::binary {

struct Object {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t name_hash = 0; ///< without a copy's number

  std::uint64_t end() const { return address + size; }
};

class Objects {
public:
  explicit Objects(const ElfFile& file);

  const Object& operator[](std::size_t number) const { return objects_[number]; }
  std::size_t size() const { return objects_.size(); }

  /// The object that an address lies in.
  std::optional<std::size_t> at(std::uint64_t address) const;

  /// The object that ends where an address is.
  std::optional<std::size_t> before(std::uint64_t address) const;

  /// The hash of the name of the thread-local object at an offset from the thread pointer; 0 if
  /// there is none.
  std::uint64_t thread_local_at(std::uint64_t offset) const;

private:
  std::vector<Object> objects_;      ///< by address, none overlapping
  std::vector<Object> thread_local_; ///< the same, by offset from the thread pointer
};

} // namespace dragnet::binary
