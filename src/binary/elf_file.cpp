#include "binary/elf_file.h"
#include "base/files.h"
#include "base/result.h"
#include "binary/debug_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <iterator>
#include <libelf.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace dragnet::binary {

struct ElfFile::Mapping {
  FileDescriptor file;
  Elf* elf = nullptr;

  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Mapping(Mapping&&) = delete;
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping() { elf_end(elf); }
};

ElfFile::ElfFile() = default;
ElfFile::~ElfFile() = default;
ElfFile::ElfFile(ElfFile&&) noexcept = default;

namespace {

Error not_readable(const std::filesystem::path& path, std::string_view why) {
  return {fmt::format("{} is not a program that can be read: {}", path.string(), why),
          "name an ELF executable or shared library for x86-64 or AArch64"};
}

// A header of a file that may lie anywhere in it.
template <class Header>
Header copied(const Header* headers, std::size_t number) {
  Header header{};
  std::memcpy(&header, reinterpret_cast<const std::byte*>(headers) + (number * sizeof header),
              sizeof header);
  return header;
}

// The records of a section as an array; a partial one at the end is left out.
template <class Record>
std::span<const Record> records(std::span<const std::byte> content) {
  if (reinterpret_cast<std::uintptr_t>(content.data()) % alignof(Record) != 0)
    return {};
  return {reinterpret_cast<const Record*>(content.data()), content.size() / sizeof(Record)};
}

std::string_view name_at(std::span<const std::byte> names, std::size_t offset) {
  if (offset >= names.size())
    return {};
  const char* begin = reinterpret_cast<const char*>(names.data()) + offset;
  const void* end = std::memchr(begin, 0, names.size() - offset);
  return {begin, end == nullptr ? names.size() - offset
                                : static_cast<std::size_t>(static_cast<const char*>(end) - begin)};
}

std::optional<SymbolKind> kind_of(unsigned char type) {
  switch (type) {
  case STT_FUNC:
  case STT_GNU_IFUNC:
    return SymbolKind::Function;
  case STT_OBJECT:
    return SymbolKind::Data;
  case STT_TLS:
    return SymbolKind::ThreadLocal;
  case STT_NOTYPE:
    return SymbolKind::Other;
  default:
    return std::nullopt;
  }
}

Binding binding_of(unsigned char binding) {
  if (binding == STB_LOCAL)
    return Binding::Local;
  return binding == STB_WEAK ? Binding::Weak : Binding::Global;
}

// The word at an address of the loaded image; 0 where nothing is stored.
std::uint64_t word_at(const ElfFile& file, std::uint64_t address) {
  const Section* section = file.section_at(address);
  std::uint64_t word = 0;
  if (section == nullptr || address - section->address + sizeof word > section->content.size())
    return 0;
  std::memcpy(&word, &section->content[address - section->address], sizeof word);
  return word;
}

bool is_relative(Machine machine, std::uint32_t type) {
  if (machine == Machine::X86)
    return type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE;
  return type == R_AARCH64_RELATIVE || type == R_AARCH64_IRELATIVE;
}

bool is_named(Machine machine, std::uint32_t type) {
  if (machine == Machine::X86)
    return type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT ||
           type == R_X86_64_DTPMOD64 || type == R_X86_64_TPOFF64;
  return type == R_AARCH64_ABS64 || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT ||
         type == R_AARCH64_TLSDESC || type == R_AARCH64_TLS_TPREL;
}

} // namespace

bool is_program(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  Elf64_Ehdr header{};
  if (!file.is_open() || ::read(file.number(), &header, sizeof header) != sizeof header)
    return false;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

// Fills an ElfFile, step by step.
class ElfReader {
public:
  explicit ElfReader(std::filesystem::path path) : path_(std::move(path)) {}

  Result<ElfFile> read() {
    TRY(map(path_));
    TRY(read_header());
    read_segments();
    read_sections();
    file_.build_id_ = read_build_id();
    find_symbols();
    for (const Part& part : parts_)
      read_pointers(part);
    std::ranges::sort(file_.pointers_, {}, &Pointer::slot);
    return std::move(file_);
  }

private:
  struct Part {
    std::string_view name;
    Elf64_Shdr header{};
    std::span<const std::byte> content;
  };

  Elf* elf() const { return file_.mappings_.back()->elf; }

  Result<> map(const std::filesystem::path& path) {
    elf_version(EV_CURRENT);
    auto mapping = std::make_unique<ElfFile::Mapping>();
    mapping->file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!mapping->file.is_open())
      return file_error("read", path, errno);
    mapping->elf = elf_begin(mapping->file.number(), ELF_C_READ_MMAP, nullptr);
    if (mapping->elf == nullptr || elf_kind(mapping->elf) != ELF_K_ELF)
      return not_readable(path, "it is not an ELF file");
    file_.mappings_.push_back(std::move(mapping));
    parts_ = read_parts();
    return success();
  }

  Result<> read_header() {
    const Elf64_Ehdr* header = elf64_getehdr(elf());
    if (header == nullptr || header->e_ident[EI_DATA] != ELFDATA2LSB)
      return not_readable(path_, "it is not for a 64-bit little-endian machine");
    if (header->e_machine != EM_X86_64 && header->e_machine != EM_AARCH64)
      return not_readable(path_, fmt::format("its machine is number {}", header->e_machine));
    if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
      return not_readable(path_, "it is not linked");
    if (parts_.empty())
      return not_readable(path_, "it has no sections, or is cut off");
    file_.machine_ = header->e_machine == EM_X86_64 ? Machine::X86 : Machine::AArch64;
    file_.fixed_place_ = header->e_type == ET_EXEC;
    return success();
  }

  std::vector<Part> read_parts() const {
    std::vector<Part> parts;
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf(), &names) != 0)
      return parts;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf(), section)) != nullptr;) {
      const Elf64_Shdr* found = elf64_getshdr(section);
      if (found == nullptr)
        return {};
      const auto header = copied<Elf64_Shdr>(found, 0);
      const char* name = elf_strptr(elf(), names, header.sh_name);
      Part part{.name = name == nullptr ? "" : name, .header = header, .content = {}};
      const Elf_Data* raw = header.sh_type == SHT_NOBITS ? nullptr : elf_rawdata(section, nullptr);
      if (raw != nullptr && raw->d_buf != nullptr)
        part.content = {static_cast<const std::byte*>(raw->d_buf), raw->d_size};
      parts.push_back(part);
    }
    return parts;
  }

  void read_segments() {
    std::size_t count = 0;
    const Elf64_Phdr* headers = elf64_getphdr(elf());
    if (headers == nullptr || elf_getphdrnum(elf(), &count) != 0)
      return;
    for (std::size_t i = 0; i < count; ++i) {
      const auto header = copied<Elf64_Phdr>(headers, i);
      if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0)
        file_.segments_.push_back(
            {.file_offset = header.p_offset, .address = header.p_vaddr, .size = header.p_filesz});
      if (header.p_type == PT_TLS && std::has_single_bit(header.p_align))
        file_.thread_local_size_ = (header.p_memsz + header.p_align - 1) & -header.p_align;
    }
  }

  void read_sections() {
    for (const Part& part : parts_) {
      const bool thread_local_zeros =
          part.header.sh_type == SHT_NOBITS && (part.header.sh_flags & SHF_TLS) != 0;
      if ((part.header.sh_flags & SHF_ALLOC) == 0 || thread_local_zeros || part.header.sh_size == 0)
        continue;
      file_.sections_.push_back(
          {.name = part.name,
           .address = part.header.sh_addr,
           .size = part.header.sh_size,
           .content = part.content.first(std::min(part.content.size(), part.header.sh_size)),
           .writable = (part.header.sh_flags & SHF_WRITE) != 0,
           .executable = (part.header.sh_flags & SHF_EXECINSTR) != 0});
    }
    std::ranges::stable_sort(file_.sections_, {}, &Section::address);
  }

  // Of the file that was mapped last.
  std::string read_build_id() const {
    constexpr std::size_t before_id = sizeof(Elf64_Nhdr) + 4;
    std::string id;
    const auto note =
        std::ranges::find(parts_, std::string_view(".note.gnu.build-id"), &Part::name);
    if (note != parts_.end() && note->content.size() > before_id)
      for (const std::byte byte : note->content.subspan(before_id))
        id += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return id;
  }

  // A debug file that was left behind by an earlier build would name the wrong addresses.
  bool is_of_this_build() const { return read_build_id() == file_.build_id_; }

  // The part of a type that has content.
  const Part* part_of_type(std::uint32_t type) const {
    const auto found = std::ranges::find_if(parts_, [&](const Part& part) {
      return part.header.sh_type == type && !part.content.empty();
    });
    return found == parts_.end() ? nullptr : &*found;
  }

  std::span<const std::byte> linked_content(const Part& part) const {
    // Sections are numbered from 1: number 0 is none.
    const std::size_t number = part.header.sh_link;
    return number == 0 || number > parts_.size() ? std::span<const std::byte>{}
                                                 : parts_[number - 1].content;
  }

  void find_symbols() {
    const Part* own = part_of_type(SHT_SYMTAB);
    file_.full_symbols_ = own != nullptr;
    if (own != nullptr) {
      read_symbols(*own);
      return;
    }
    const auto own_parts = parts_;
    const auto debug = find_debug_file(path_, file_.build_id_, link_name());
    if (debug && map(*debug) && is_of_this_build())
      own = part_of_type(SHT_SYMTAB);
    if (own != nullptr) {
      file_.full_symbols_ = true;
      read_symbols(*own);
    }
    parts_ = own_parts;
    const Part* exported = part_of_type(SHT_DYNSYM);
    if (own == nullptr && exported != nullptr)
      read_symbols(*exported);
  }

  std::string_view link_name() const {
    const auto link = std::ranges::find(parts_, std::string_view(".gnu_debuglink"), &Part::name);
    return link == parts_.end() ? std::string_view{} : name_at(link->content, 0);
  }

  void read_symbols(const Part& table) {
    const auto names = linked_content(table);
    const auto entries = records<Elf64_Sym>(table.content);
    file_.symbols_.reserve(entries.size());
    std::string_view source;
    for (const Elf64_Sym& entry : entries) {
      const std::string_view name = name_at(names, entry.st_name);
      if (ELF64_ST_TYPE(entry.st_info) == STT_FILE)
        source = name;
      const auto kind = kind_of(ELF64_ST_TYPE(entry.st_info));
      if (!kind || entry.st_shndx == SHN_UNDEF || entry.st_shndx == SHN_ABS || name.empty())
        continue;
      const Binding binding = binding_of(ELF64_ST_BIND(entry.st_info));
      file_.symbols_.push_back({.name = name,
                                .file = binding == Binding::Local ? source : std::string_view{},
                                .address = entry.st_value,
                                .size = entry.st_size,
                                .kind = *kind,
                                .binding = binding});
    }
  }

  void read_pointers(const Part& part) {
    if (part.header.sh_type == SHT_RELA)
      read_relocations(part);
    else if (part.header.sh_type == SHT_RELR)
      read_packed_relocations(part);
  }

  void read_relocations(const Part& part) {
    const std::size_t number = part.header.sh_link;
    const bool has_symbols = number > 0 && number <= parts_.size();
    const auto symbols =
        has_symbols ? records<Elf64_Sym>(parts_[number - 1].content) : std::span<const Elf64_Sym>{};
    const auto names =
        has_symbols ? linked_content(parts_[number - 1]) : std::span<const std::byte>{};
    const auto entries = records<Elf64_Rela>(part.content);
    file_.pointers_.reserve(file_.pointers_.size() + entries.size());
    for (const Elf64_Rela& entry : entries) {
      const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info));
      const auto addend = static_cast<std::uint64_t>(entry.r_addend);
      const std::size_t symbol = ELF64_R_SYM(entry.r_info);
      if (is_relative(file_.machine_, type)) {
        file_.pointers_.push_back({.slot = entry.r_offset, .target = addend, .symbol = {}});
      } else if (is_named(file_.machine_, type) && symbol < symbols.size()) {
        const Elf64_Sym& bound = symbols[symbol];
        const std::uint64_t target = bound.st_shndx == SHN_UNDEF ? 0 : bound.st_value + addend;
        file_.pointers_.push_back(
            {.slot = entry.r_offset, .target = target, .symbol = name_at(names, bound.st_name)});
      }
    }
  }

  // An even word is the address of a pointer; an odd one says by its bits which of the following 63
  // words are pointers too.
  void read_packed_relocations(const Part& part) {
    std::uint64_t next = 0;
    for (const std::uint64_t word : records<std::uint64_t>(part.content)) {
      if ((word & 1U) == 0) {
        add_packed(word);
        next = word + sizeof word;
        continue;
      }
      for (unsigned bit = 1; bit < 64; ++bit)
        if ((word >> bit & 1U) != 0)
          add_packed(next + ((bit - 1) * sizeof word));
      next += 63 * sizeof word;
    }
  }

  void add_packed(std::uint64_t slot) {
    file_.pointers_.push_back({.slot = slot, .target = word_at(file_, slot), .symbol = {}});
  }

  std::filesystem::path path_;
  ElfFile file_;
  std::vector<Part> parts_; ///< of the file that was mapped last
};

Result<ElfFile> ElfFile::open(const std::filesystem::path& path) {
  return ElfReader(path).read();
}

const Section* ElfFile::section_at(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(sections_, address, {}, &Section::address);
  if (after == sections_.begin())
    return nullptr;
  const Section& section = *std::prev(after);
  return section.holds(address) ? &section : nullptr;
}

const Section* ElfFile::section_named(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

const Pointer* ElfFile::pointer_at(std::uint64_t slot) const {
  const auto found = std::ranges::lower_bound(pointers_, slot, {}, &Pointer::slot);
  return found == pointers_.end() || found->slot != slot ? nullptr : &*found;
}

} // namespace dragnet::binary
