// What a run of a benchmark executed, per function and per call.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet {

/// A function by the binary of the build that holds it and its name there.
struct FunctionId {
  std::string binary; ///< its path below the build's folder; absolute outside the build
  std::string name;

  auto operator<=>(const FunctionId&) const = default;
};

/// Instructions of a function that were executed equally often: from one up to the next stretch.
struct Stretch {
  std::uint32_t first = 0; ///< the number of the first instruction
  std::uint64_t executed = 0;

  auto operator<=>(const Stretch&) const = default;
};

struct FunctionCounts {
  FunctionId function;
  std::uint64_t calls = 0;        ///< 0 where the profile is sampled
  std::uint64_t instructions = 0; ///< executed in itself; samples where the profile is sampled
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<Stretch> stretches = {}; ///< by first; none where only the sum is known
};

enum class CallKind : std::uint8_t { Direct, Indirect };

struct CallEdge {
  FunctionId caller;
  FunctionId callee;
  CallKind kind = CallKind::Direct;
  std::uint64_t calls = 0;
};

/// A file of code that a run loaded from outside the build.
struct ForeignLibrary {
  std::string path;
  std::string identity; ///< its build id, or a hash of its content
  std::uint64_t instructions = 0;
};

/// How the counts of a profile were obtained.
enum class Counting : std::uint8_t {
  Emulated,  ///< exact, by QEMU and a plugin of ours
  Callgrind, ///< exact, by valgrind
  Sampled    ///< estimated from samples of the program counter
};

struct Profile {
  Counting counting = Counting::Emulated;
  std::uint64_t instructions = 0;        ///< in all, also outside the build
  std::vector<FunctionCounts> functions; ///< of the build's binaries, executed at all, by id
  std::vector<CallEdge> edges;           ///< between them, by caller and callee
  std::vector<ForeignLibrary> libraries; ///< by path
};

} // namespace dragnet
