// An ELF executable or shared library as plain views into its mapped bytes: what is loaded, what
// has a name, and which words in it are pointers.
#pragma once

#include "base/result.h"
#include "model/function.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::binary {

enum class Machine : std::uint8_t { X86, AArch64 }; ///< both of 64 bits

/// A section that is loaded.
struct Section {
  std::string_view name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::span<const std::byte> content; ///< empty where it begins as zeros
  bool writable = false;
  bool executable = false;

  bool holds(std::uint64_t at) const { return at - address < size; }
};

enum class SymbolKind : std::uint8_t { Function, Data, ThreadLocal, Other };

/// How strongly a name is bound to an address, weakest first.
enum class Binding : std::uint8_t { Local, Weak, Global };

struct Symbol {
  std::string_view name;
  std::string_view file; ///< the source of a local symbol, where it is known
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  SymbolKind kind = SymbolKind::Other;
  Binding binding = Binding::Local;
};

/// A word that the loader fills with an address.
struct Pointer {
  std::uint64_t slot = 0;   ///< where the word is
  std::uint64_t target = 0; ///< the address in this file; 0 if it is in another
  std::string_view symbol;  ///< the name that it is bound to, if by name
};

/// Whether a file begins like an executable or shared library.
bool is_program(const std::filesystem::path& path);

class ElfFile {
public:
  /// Maps a file. Symbols come from its separate debug file where it has none itself.
  static Result<ElfFile> open(const std::filesystem::path& path);
  ~ElfFile();
  ElfFile(ElfFile&&) noexcept;
  ElfFile& operator=(ElfFile&&) = delete;
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  Machine machine() const { return machine_; }

  /// Whether it is linked for one place in memory, so that addresses stand in its code as
  /// constants.
  bool has_fixed_place() const { return fixed_place_; }

  const std::vector<Section>& sections() const { return sections_; } ///< by address
  const std::vector<Symbol>& symbols() const { return symbols_; }    ///< in the file's order
  const std::vector<Pointer>& pointers() const { return pointers_; } ///< by slot
  const std::vector<CodeSegment>& segments() const { return segments_; }

  /// Whether the symbols are all of the program's and not only the exported ones.
  bool has_full_symbols() const { return full_symbols_; }

  /// The size of the thread-local storage, with its alignment; thread-local symbols lie below its
  /// end.
  std::uint64_t thread_local_size() const { return thread_local_size_; }

  /// The section that is loaded at an address, or null.
  const Section* section_at(std::uint64_t address) const;

  /// The section of this name, or null.
  const Section* section_named(std::string_view name) const;

  /// The pointer in a slot, or null.
  const Pointer* pointer_at(std::uint64_t slot) const;

  /// The build id in hexadecimal digits; empty if there is none.
  const std::string& build_id() const { return build_id_; }

private:
  struct Mapping;
  friend class ElfReader;
  ElfFile();

  std::vector<std::unique_ptr<Mapping>> mappings_; ///< the file itself, then its debug file
  Machine machine_ = Machine::X86;
  bool fixed_place_ = false;
  bool full_symbols_ = false;
  std::uint64_t thread_local_size_ = 0;
  std::string build_id_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<Pointer> pointers_;
  std::vector<CodeSegment> segments_;
};

} // namespace dragnet::binary
