// Follows a stack of another process from a place to where its thread began.
#pragma once

#include "tracer/code_space.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::tracer {

struct Registers {
  std::uint64_t pc = 0; ///< behind a call, or behind the first byte of an instruction
  std::uint64_t rsp = 0;
  std::uint64_t rbp = 0;
};

/// A copy of a part of a stack, which grows as it is asked for, as long as its process stands
/// still.
class StackCopy {
public:
  /// Of a process that stands still, from an address up.
  void begin(pid_t process, std::uint64_t address);

  /// Of bytes that were copied; nothing more can be had.
  void begin(std::uint64_t address, const std::byte* bytes, std::size_t size);

  /// The word at an address; false where there is none.
  bool word(std::uint64_t at, std::uint64_t& value) {
    const std::uint64_t index = (at - start_) / 8;
    if (at % 8 == 0 && at >= start_ && index < words_.size()) {
      value = words_[index];
      return true;
    }
    return fetch(at, value);
  }

private:
  bool fetch(std::uint64_t at, std::uint64_t& value);
  bool read(std::uint64_t from, std::size_t size);

  pid_t process_ = 0; // 0: none
  std::uint64_t start_ = 0;
  std::size_t usual_ = 1024; // what walks have needed, in bytes
  std::vector<std::uint64_t> words_;
};

/// What a walk found. The addresses are of return, innermost first; where a signal interrupted, the
/// address behind the first byte of the instruction stands for it.
struct Walk {
  std::vector<std::uint64_t> addresses;
  bool whole = false; ///< it led to where the thread began

  /// Where the words stand that decided the walk: as long as they and the first registers (rbp only
  /// if it is needed) are the same, another walk ends the same.
  std::vector<std::uint64_t> decided_by;
  bool needs_rbp = false;
};

/// Walks a stack; the process is asked what code lies where, if that is not known.
void walk_stack(Walk& walk, Registers from, StackCopy& stack, CodeSpace& code, pid_t process);

} // namespace dragnet::tracer
