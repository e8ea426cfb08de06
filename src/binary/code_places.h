// Which functions stand at an address of a program, those that the compiler inlined there too, and
// where that is in the source.
#pragma once

#include "model/check.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::binary {

/// A function at an address. Where several are inlined into each other, the place of each but the
/// innermost is that of the call of the next.
struct CodePlace {
  std::string function; ///< mangled; its address in hexadecimal digits where it has no name
  std::optional<SourcePlace> place;
  bool inlined = false;
};

class CodePlaces {
public:
  /// Reads a program or library; where that fails, no address has a place in it.
  explicit CodePlaces(const std::filesystem::path& file);
  ~CodePlaces();
  CodePlaces(CodePlaces&&) noexcept;
  CodePlaces& operator=(CodePlaces&&) = delete;
  CodePlaces(const CodePlaces&) = delete;
  CodePlaces& operator=(const CodePlaces&) = delete;

  /// What stands at a byte of the file, outermost first; nothing where it is not in a function.
  std::vector<CodePlace> at(std::uint64_t file_offset);

private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

} // namespace dragnet::binary
