// A program on the way to a table of its functions. It may be read beside an earlier build of it,
// which is faster, and tells a function's instructions apart when that is asked for.
#pragma once

#include "base/result.h"
#include "binary/decoded.h"
#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/landmarks.h"
#include "binary/outline.h"
#include "binary/ranges.h"
#include "model/function.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::binary {

class FunctionReader {
public:
  /// An Error says that the file is no program, or has no functions that can be told apart.
  static Result<std::unique_ptr<FunctionReader>> open(const std::filesystem::path& path);
  FunctionReader(ElfFile file, std::vector<Range> ranges);

  /// Decodes the code; comes first.
  void decode(ForLater for_later);

  /// The same, where an earlier build was decoded for later, which must outlive this one.
  void decode_beside(const FunctionReader& earlier);

  /// The table, without lengths. `name` is what it calls the binary.
  FunctionTable table(const std::string& name);

  /// The lengths of all instructions, to which the table's functions point.
  std::vector<std::uint8_t> take_lengths() { return std::move(decoded_.lengths); }

  /// A function's instructions, after `table`.
  Outline outline(std::size_t function);

private:
  Code code() const {
    return {.file = file_, .ranges = ranges_, .index = index_, .name_hashes = name_hashes_};
  }
  void add_landmarks(FunctionTable& table);
  Outlined outlined(const Instruction& instruction, const Range& range) const;
  void add_mentions(std::size_t function, Outline& outline);

  ElfFile file_;
  std::vector<Range> ranges_;
  FunctionIndex index_;
  std::vector<std::uint64_t> name_hashes_;
  Decoded decoded_;
  std::unique_ptr<Landmarks> landmarks_; ///< from `table` on
};

} // namespace dragnet::binary
