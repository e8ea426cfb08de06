#include "binary/identity.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/result.h"
#include "binary/elf_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace dragnet::binary {
namespace {

// Notes that are longer are not ours to look for.
constexpr std::size_t longest_notes = 65536;

bool read_at(const FileDescriptor& file, std::uint64_t offset, void* into, std::size_t size) {
  return ::pread(file.number(), into, size, static_cast<off_t>(offset)) ==
         static_cast<ssize_t>(size);
}

std::size_t padded(std::size_t size) {
  return (size + 3) & ~std::size_t{3};
}

// The build id among notes: each has the sizes of its name and content in front.
std::string build_id_in(const std::vector<unsigned char>& notes) {
  for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr header{};
    std::memcpy(&header, &notes[at], sizeof header);
    const std::size_t content = at + sizeof header + padded(header.n_namesz);
    if (content + header.n_descsz > notes.size())
      return {};
    std::string id;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4)
      for (std::size_t i = 0; i < header.n_descsz; ++i)
        id += fmt::format("{:02x}", notes[content + i]);
    if (!id.empty())
      return id;
    at = content + padded(header.n_descsz);
  }
  return {};
}

std::string build_id_of(const FileDescriptor& file) {
  Elf64_Ehdr header{};
  if (!read_at(file, 0, &header, sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!read_at(file, header.e_phoff, segments.data(), segments.size() * sizeof(Elf64_Phdr)))
    return {};
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE)
      continue;
    std::vector<unsigned char> notes(std::min<std::size_t>(segment.p_filesz, longest_notes));
    if (!read_at(file, segment.p_offset, notes.data(), notes.size()))
      continue;
    if (std::string id = build_id_in(notes); !id.empty())
      return id;
  }
  return {};
}

} // namespace

std::string identity_of(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open())
    return {};
  if (std::string id = build_id_of(file); !id.empty())
    return id;
  const auto key = file_key(path);
  return key ? *key : std::string{};
}

Result<std::string> loaded_key(const std::filesystem::path& path) {
  const ElfFile file = TRY(ElfFile::open(path));
  KeyMaker key;
  for (const Section& section : file.sections()) {
    if (section.name == ".note.gnu.build-id")
      continue;
    key.add(section.name, fmt::format("{} {} {}", section.address, section.size, section.writable));
    key.add("content",
            {reinterpret_cast<const char*>(section.content.data()), section.content.size()});
  }
  return key.key();
}

} // namespace dragnet::binary
