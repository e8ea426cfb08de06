// What stands at an address, told so that it is the same wherever it lies: functions and data by
// name, constants by content, positions in code by the number of the instruction.
#pragma once

#include "binary/boundaries.h"
#include "binary/decoded.h"
#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/objects.h"
#include "binary/ranges.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::binary {

struct Landmark {
  std::uint64_t identity = 0; ///< a hash of what it is called and of the position in it
  std::uint64_t content = 0;  ///< a hash of what is stored there; 0 if that is not constant
};

/// The program as far as it is known; all must outlive what uses it.
struct Program : Code {
  Program(const Code& code, const Decoded& its_decoded) : Code(code), decoded(its_decoded) {}
  const Decoded& decoded;
};

class Landmarks {
public:
  explicit Landmarks(const Program& program);

  /// What the mentions of one function refer to, in their order.
  const std::vector<Landmark>& describe(std::span<const Mention> mentions);

private:
  void add_unmarked_pointers();
  Landmark describe(const Mention& mention);
  Landmark code_at(std::uint64_t address);
  Landmark data_at(const Mention& mention);
  bool is_number(std::uint64_t target) const;
  Landmark stub_at(const Section& section, std::uint64_t address);
  Landmark slot_at(const Pointer& pointer);
  std::optional<std::size_t> object_meant(const Mention& mention) const;
  std::optional<std::uint64_t> jump_table_at(const Mention& mention);
  std::uint64_t jump_target(std::uint32_t function, std::uint64_t target);

  std::uint64_t pointer_identity(const Pointer& pointer);
  std::uint64_t own_content(std::size_t object);
  std::uint64_t content_with_neighbours(std::size_t object);
  std::uint64_t pointer_words(std::span<const std::byte> content, std::uint64_t address);
  std::uint64_t constant_at(std::uint64_t address) const;
  std::span<const std::byte> bytes_at(std::uint64_t address, std::uint64_t size) const;

  const Program program_;
  Objects objects_;
  Boundaries boundaries_;
  InstructionFinder finder_;                ///< for other functions
  InstructionFinder own_finder_;            ///< for the present one
  std::vector<std::uint64_t> own_contents_; ///< by object; 0 if not yet known
  std::vector<std::uint64_t> contents_;     ///< the same, with what it points to
  std::vector<std::size_t> used_;           ///< the objects that the present function refers to
  std::vector<Landmark> landmarks_;         ///< of the present function
};

} // namespace dragnet::binary
