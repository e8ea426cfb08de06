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

/// A call with which a function ends, so that it leaves no frame on the stack.
struct TailCall {
  std::string callee; ///< mangled
  std::optional<SourcePlace> place;
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

  /// The function that the call whose last byte stands there names; empty where none does.
  std::string called_at(std::uint64_t file_offset);

  /// The calls with which a function may end, by its mangled name; none where it is not known.
  const std::vector<TailCall>& tail_calls_of(const std::string& function);

  /// Whether the function at a byte of the file has a name, as one of several or as a copy.
  bool is_named(std::uint64_t file_offset, const std::string& name) const;

private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

} // namespace dragnet::binary
