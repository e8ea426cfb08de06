// Where something begins in the constants of a program: every address that code or a pointer refers
// to. What lies between two of them belongs together.
#pragma once

#include "binary/elf_file.h"

#include <cstdint>
#include <vector>

namespace dragnet::binary {

class Boundaries {
public:
  explicit Boundaries(const ElfFile& file);

  /// Notes an address; one outside the constants is ignored.
  void add(std::uint64_t address);

  /// The first boundary at or after an address, or the end of its section; the address itself if it
  /// is in none.
  std::uint64_t next(std::uint64_t address) const;

private:
  struct Part {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::vector<std::uint64_t> bits; ///< one per byte
  };
  const Part* part_at(std::uint64_t address) const;

  std::vector<Part> parts_;
};

} // namespace dragnet::binary
