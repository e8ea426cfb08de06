#include "binary/boundaries.h"
#include "binary/elf_file.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::binary {

Boundaries::Boundaries(const ElfFile& file) {
  for (const Section& section : file.sections())
    if (!section.executable && !section.content.empty())
      parts_.push_back({.address = section.address,
                        .size = section.content.size(),
                        .bits = std::vector<std::uint64_t>((section.content.size() + 63) / 64)});
}

const Boundaries::Part* Boundaries::part_at(std::uint64_t address) const {
  for (const Part& part : parts_)
    if (address - part.address < part.size)
      return &part;
  return nullptr;
}

void Boundaries::add(std::uint64_t address) {
  const Part* found = part_at(address);
  if (found == nullptr)
    return;
  Part& part = parts_[static_cast<std::size_t>(found - parts_.data())];
  const std::uint64_t offset = address - part.address;
  part.bits[offset / 64] |= std::uint64_t{1} << offset % 64;
}

std::uint64_t Boundaries::next(std::uint64_t address) const {
  const Part* part = part_at(address);
  if (part == nullptr)
    return address;
  const std::uint64_t offset = address - part->address;
  std::size_t word = offset / 64;
  std::uint64_t bits = part->bits[word] >> offset % 64 << offset % 64;
  while (bits == 0 && ++word < part->bits.size())
    bits = part->bits[word];
  if (bits == 0)
    return part->address + part->size;
  return part->address + (word * 64) + static_cast<std::uint64_t>(std::countr_zero(bits));
}

} // namespace dragnet::binary
