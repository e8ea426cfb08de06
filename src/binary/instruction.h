// A machine instruction as far as Dragnet needs to know it: its length, what it refers to, and what
// it is when that is left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace dragnet::binary {

enum class Refers : std::uint8_t {
  Nothing,
  Jump,        ///< to code, in this function or another
  Call,        ///< to code
  Memory,      ///< reads or writes there
  Address,     ///< takes the address, or reaches from there by an index
  ThreadLocal, ///< the target is an offset from the thread pointer
  Constant     ///< the target is a number, which may be such an offset
};

struct Reference {
  Refers how = Refers::Nothing;
  std::uint8_t width = 0; ///< of Memory: how many bytes, at most
  bool certain = true;    ///< false: it may as well be a number
  std::uint8_t field = 0; ///< where in the instruction the target is told, if it is
  std::uint8_t size = 0;  ///< in how many bytes
  std::uint64_t target = 0;
};

struct Instruction {
  std::uint8_t length = 0;    ///< in bytes; 0 if there is no instruction
  bool padding = false;       ///< does nothing and is there for alignment
  bool in_thread = false;     ///< has an operand relative to the thread pointer
  bool falls_through = true;  ///< the next one may follow it; known as `operation` is
  bool by_shape = false;      ///< its bytes say more than it means: only the shape tells
  std::uint8_t mentioned = 0; ///< how many references it has
  std::uint64_t shape = 0;    ///< a hash of it without the targets of its references
  /// The same without registers and places in memory; only where it was decoded plainly.
  std::uint64_t operation = 0;
  std::array<Reference, 2> references;
};

/// Where a program lies that is linked for one place; constants in it may be addresses.
struct Place {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  bool holds(std::uint64_t address) const { return address - low < high - low; }
};

/// Decodes the instruction at the beginning of some x86-64 code, which lies at an address. In
/// place, because copying costs as much as decoding.
void decode_x86(std::span<const std::byte> code, std::uint64_t address, const Place& place,
                Instruction& into);

/// The same by the general way alone, to which the fast one for usual instructions is compared.
void decode_x86_plainly(std::span<const std::byte> code, std::uint64_t address, const Place& place,
                        Instruction& into);

/// Decodes the AArch64 code of a function in order: an address there is made by two instructions.
class ArmDecoder {
public:
  Instruction decode(std::span<const std::byte> code, std::uint64_t address);

private:
  using Pages = std::array<std::uint64_t, 32>; ///< by register; 0 if it holds no page

  Instruction decode_word(std::span<const std::byte> code, std::uint64_t address);
  void arrive(std::uint64_t address);
  void leave(std::uint32_t word, std::uint64_t target);
  void refer(Instruction& instruction, std::uint32_t word);
  void forget_written(std::uint32_t word);

  Pages pages_{};
  std::map<std::uint64_t, Pages> at_targets_; ///< what registers hold where jumps lead to
  bool reached_ = true;                       ///< by the instruction before
};

} // namespace dragnet::binary
