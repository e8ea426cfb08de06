// The functions of a build as its binaries show them, and what differs between two builds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet {

struct Function {
  std::string name;               ///< mangled, unique within its binary
  std::uint64_t address = 0;      ///< as linked
  std::uint64_t size = 0;         ///< in bytes
  std::uint32_t instructions = 0; ///< static, without padding
  std::uint64_t code_hash = 0;    ///< of its instructions, with operands by what they refer to
  std::uint64_t data_hash = 0;    ///< of the contents of the data that it refers to
  std::size_t first_length = 0;   ///< of its instructions and padding, in the table's lengths
};

/// The part of a binary that is loaded as code.
struct CodeSegment {
  std::uint64_t file_offset = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

/// All functions of one executable or shared library.
struct FunctionTable {
  std::string binary; ///< its path below the build's folder
  std::vector<CodeSegment> segments;
  std::vector<Function> functions; ///< by address; they do not overlap
  /// In bytes, of each instruction; with padding_flag, of padding. Empty in a table that only
  /// serves to compare.
  std::vector<std::uint8_t> lengths;

  static constexpr std::uint8_t padding_flag = 0x80;
};

enum class ChangeKind : std::uint8_t { Deleted, New, Changed, Renamed };

/// Instructions of a function that others stand for in its new version; one of both may be none.
struct Hunk {
  std::uint32_t old_first = 0; ///< the number of the first in the old version
  std::uint32_t old_count = 0;
  std::uint32_t new_count = 0;
  std::uint32_t moved_out = 0; ///< of the old ones: are put in elsewhere in the function
  std::uint32_t moved_in = 0;  ///< of the new ones: are taken away elsewhere in the function
};

/// Where something is put into a function: it is executed at most as often as the most frequent of
/// some instructions of the old version that come before it, and of some that follow.
struct EditPlace {
  std::vector<std::uint32_t> before; ///< numbers; none: it is not known how it is reached
  std::vector<std::uint32_t> after;
  bool certain = true; ///< it is executed as often; otherwise it may be bypassed
};

/// Instructions that are put in or taken away beyond what only moved or uses other registers.
struct Edit {
  EditPlace place;
  std::int32_t instructions = 0; ///< taken away if negative
};

/// Calls that are put in or taken away.
struct CallEdit {
  EditPlace place;
  std::string callee;
  std::uint32_t length = 0; ///< static, of the callee
  std::int32_t calls = 0;   ///< taken away if negative
};

/// How one function differs between two builds.
struct FunctionChange {
  ChangeKind kind = ChangeKind::Changed;
  std::string binary;
  std::string name;     ///< in the new build; of a deleted function, in the old one
  std::string old_name; ///< of a renamed function
  std::uint32_t old_instructions = 0;
  std::uint32_t new_instructions = 0;
  std::uint32_t edited = 0; ///< instructions to take away and to put in, at least; 0: only data
  // NOLINTBEGIN(readability-redundant-member-init): they may be left out
  std::vector<Hunk> hunks = {}; ///< of a changed function: where it was edited, in order
  std::vector<Edit> edits = {}; ///< the same, as far as it makes a difference
  std::vector<CallEdit> calls = {};
  /// Callees whose code in it changed, from debug information.
  std::vector<std::string> inlined = {};
  // NOLINTEND(readability-redundant-member-init)

  /// The edited instructions as a share of the longer version, 0 to 1.
  double share() const {
    const auto longer = old_instructions > new_instructions ? old_instructions : new_instructions;
    return longer == 0 ? 0 : static_cast<double>(edited < longer ? edited : longer) / longer;
  }
};

/// What differs between the functions of two builds.
struct Difference {
  std::vector<FunctionChange> changes;
  std::size_t old_functions = 0;
  std::size_t new_functions = 0;
};

} // namespace dragnet
