#include "tracer/loaded_file.h"

#include "base/files.h"
#include "runtime/frame_rules.h"
#include "runtime/unwind_entries.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::tracer {
namespace {

constexpr std::uint64_t page = 4096;

std::uint64_t page_of(std::uint64_t address) {
  return address & ~(page - 1);
}

// A copy of what stands at a place in a file, zero where the file ends before.
template <class Record>
Record record_at(const std::byte* bytes, std::size_t size, std::uint64_t at) {
  Record record{};
  if (at <= size && sizeof record <= size - at)
    std::memcpy(&record, bytes + at, sizeof record);
  return record;
}

// A place in a file.
struct Extent {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

bool has_name(const Mapping& file, std::uint64_t at, std::string_view name) {
  return at <= file.size() && name.size() + 1 <= file.size() - at &&
         std::memcmp(file.bytes() + at, name.data(), name.size()) == 0 &&
         file.bytes()[at + name.size()] == std::byte{0};
}

// The section .eh_frame: programs that are linked statically have no table of it.
Extent unwind_section(const Mapping& file) {
  const auto header = record_at<Elf64_Ehdr>(file.bytes(), file.size(), 0);
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    return {};
  const auto section = [&](std::uint64_t index) {
    return record_at<Elf64_Shdr>(file.bytes(), file.size(),
                                 header.e_shoff + (index * sizeof(Elf64_Shdr)));
  };
  const std::uint64_t names = section(header.e_shstrndx).sh_offset;
  for (unsigned index = 0; index < header.e_shnum; ++index) {
    const auto found = section(index);
    if (has_name(file, names + found.sh_name, ".eh_frame"))
      return {found.sh_addr, found.sh_size};
  }
  return {};
}

Mapping map_whole(int file) {
  struct stat status{};
  if (::fstat(file, &status) != 0 || status.st_size <= 0)
    return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  return at == MAP_FAILED ? Mapping() : Mapping(at, size);
}

Mapping reserve(std::size_t size) {
  void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? Mapping() : Mapping(at, size);
}

} // namespace

Mapping::~Mapping() {
  if (at_ != nullptr)
    ::munmap(at_, size_);
}

Mapping::Mapping(Mapping&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), size_(other.size_) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(size_, other.size_);
  return *this;
}

bool LoadedFile::read_parts(const std::byte* bytes, std::size_t size) {
  const auto header = record_at<Elf64_Ehdr>(bytes, size, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  lowest_ = std::numeric_limits<std::uint64_t>::max();
  for (unsigned index = 0; index < header.e_phnum; ++index) {
    const auto part =
        record_at<Elf64_Phdr>(bytes, size, header.e_phoff + (index * sizeof(Elf64_Phdr)));
    if (part.p_type == PT_GNU_EH_FRAME) {
      table_ = part.p_vaddr;
      table_size_ = part.p_filesz;
    }
    if (part.p_type != PT_LOAD || part.p_filesz == 0)
      continue;
    if (part.p_filesz > size || part.p_offset > size - part.p_filesz ||
        part.p_vaddr > std::numeric_limits<std::uint64_t>::max() - part.p_filesz)
      return false;
    parts_.push_back({part.p_offset, part.p_filesz, part.p_vaddr});
    lowest_ = std::min(lowest_, page_of(part.p_vaddr));
    highest_ = std::max(highest_, part.p_vaddr + part.p_filesz);
  }
  constexpr std::uint64_t largest = std::uint64_t{1} << 31; // as far as tables reach
  return !parts_.empty() && highest_ > lowest_ && highest_ - lowest_ < largest;
}

bool LoadedFile::map_parts(int file, const Mapping& whole) {
  const Extent entries = table_ == 0 ? unwind_section(whole) : Extent{};
  // An entry has at least 16 bytes, a row of the table that we make has 8.
  const std::uint64_t image_size = page_of(highest_ - lowest_ + page - 1);
  memory_ = reserve(image_size + page + (std::min(entries.size, whole.size()) / 2));
  if (!memory_.is_there())
    return false;
  code_.image = memory_.address();
  code_.image_end = code_.image + (highest_ - lowest_);
  for (const auto& part : parts_) {
    const std::uint64_t before = part.address % page;
    if (part.file_offset % page != before)
      return false;
    void* at = memory_.bytes() + (part.address - before - lowest_);
    if (::mmap(at, part.size + before, PROT_READ, MAP_PRIVATE | MAP_FIXED, file,
               static_cast<off_t>(part.file_offset - before)) == MAP_FAILED)
      return false;
  }
  if (table_ >= lowest_ && table_size_ <= highest_ - lowest_ && table_ <= highest_ - table_size_) {
    code_.unwind = in_memory(table_);
    code_.unwind_size = table_size_;
  } else if (entries.address >= lowest_ && entries.address < highest_) {
    code_.unwind = code_.image + image_size;
    make_table(in_memory(entries.address));
  }
  return true;
}

// Writes .eh_frame_hdr as linkers do.
void LoadedFile::make_table(std::uint64_t entries) {
  struct Row {
    std::int32_t code;
    std::int32_t entry;
  };
  std::vector<Row> rows;
  const auto from_table = [&](std::uint64_t address) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(address - code_.unwind));
  };
  const std::size_t room = memory_.address() + memory_.size() - code_.unwind - page;
  for (std::uint64_t at = entries; at != 0 && (rows.size() + 1) * sizeof(Row) <= room;
       at = next_entry(&code_, at))
    if (const auto entry = read_entry(&code_, at); entry.found)
      rows.push_back({from_table(entry.code.start), from_table(at)});
  std::ranges::sort(rows, {}, &Row::code);
  std::byte* table = memory_.bytes() + (code_.unwind - code_.image);
  constexpr unsigned char head[4] = {1, 0x1b, 0x03, 0x3b};
  const auto count = static_cast<std::uint32_t>(rows.size());
  std::memcpy(table, head, sizeof head);
  std::memcpy(table + 8, &count, sizeof count);
  if (!rows.empty())
    std::memcpy(table + 12, rows.data(), rows.size() * sizeof(Row));
  code_.unwind_size = 12 + (rows.size() * sizeof(Row));
}

std::unique_ptr<LoadedFile> LoadedFile::load(const std::filesystem::path& path,
                                             std::uint64_t inode) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || status.st_ino != inode ||
      !S_ISREG(status.st_mode))
    return nullptr;
  const Mapping whole = map_whole(file.number());
  auto loaded = std::make_unique<LoadedFile>();
  if (!whole.is_there() || !loaded->read_parts(whole.bytes(), whole.size()) ||
      !loaded->map_parts(file.number(), whole))
    return nullptr;
  return loaded;
}

std::unique_ptr<LoadedFile> LoadedFile::virtual_library() {
  auto loaded = std::make_unique<LoadedFile>();
  const std::uint64_t image = ::getauxval(AT_SYSINFO_EHDR);
  constexpr std::size_t size = 2 * page; // at least, and all of it that has headers
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel says it so
  const auto* bytes = reinterpret_cast<const std::byte*>(image);
  if (image == 0 || !loaded->read_parts(bytes, size))
    return nullptr;
  loaded->code_.image = image;
  loaded->code_.image_end = image + (loaded->highest_ - loaded->lowest_);
  loaded->code_.unwind = loaded->in_memory(loaded->table_);
  loaded->code_.unwind_size = loaded->table_size_;
  return loaded;
}

frame_rule LoadedFile::rule_at(std::uint64_t file_offset) const {
  for (const auto& part : parts_)
    if (file_offset >= part.file_offset && file_offset - part.file_offset < part.size)
      return read_rule(&code_, in_memory(part.address + (file_offset - part.file_offset)));
  return {.base_offset = 0,
          .rbp_offset = 0,
          .return_offset = 0,
          .base = FRAME_UNKNOWN,
          .rbp = 0,
          .zero = 0};
}

} // namespace dragnet::tracer
