// The stacks file of a process image that is watched from outside (runtime/stacks_format.h). It is
// mapped into memory: what is added is kept however the watching ends.
#pragma once

#include "base/result.h"
#include "runtime/stacks_format.h"
#include "tracer/code_space.h"
#include "tracer/loaded_file.h"
#include "tracer/stack_walk.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace dragnet::tracer {

/// Finds the numbers of records by a hash of their content: open addressing.
class NumberIndex {
public:
  static constexpr std::uint32_t none = 0xffffffffU;

  /// The number with this hash for which `same` holds, or `none`.
  template <class Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    for (std::size_t place = hash; !slots_.empty(); ++place) {
      const Slot& slot = slots_[place % slots_.size()];
      if (slot.number == none || (slot.hash == hash && same(slot.number)))
        return slot.number;
    }
    return none;
  }
  void add(std::uint64_t hash, std::uint32_t number);

private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = none;
  };
  void put(Slot slot);
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

class Ledger {
public:
  /// A new file in a folder, for a process.
  static Result<Ledger> make(const std::filesystem::path& folder, pid_t process);

  dragnet_stacks_header& header() { return *reinterpret_cast<dragnet_stacks_header*>(at(0)); }

  /// The number of a file by its path; DRAGNET_NO_FILE when there is no room for its name.
  std::uint32_t file(std::string_view path);

  /// The number of a stack, or `NumberIndex::none` when there is no room.
  std::uint32_t stack(const Walk& walk, const CodeSpace& code);

  /// Adds calls of a kind to a file under a stack; what finds no room is counted as lost.
  void add(std::uint32_t stack, std::uint32_t file, std::uint32_t kind, std::uint64_t calls,
           std::uint64_t amount);

private:
  explicit Ledger(Mapping memory) : memory_(std::move(memory)) {}

  std::byte* at(std::uint64_t offset) const { return memory_.bytes() + offset; }
  template <class Record>
  Record* records(std::uint64_t offset) const {
    return reinterpret_cast<Record*>(at(offset));
  }
  bool add_text(std::string_view text, std::uint32_t& where);
  void add_modules(std::span<const Module> modules);
  std::uint32_t add_stack(std::uint64_t hash, const Walk& walk);
  bool is_stack(std::uint32_t number, const Walk& walk) const;

  Mapping memory_;
  NumberIndex files_;
  NumberIndex stacks_;
  NumberIndex uses_;
  std::size_t modules_seen_ = 0;
};

} // namespace dragnet::tracer
