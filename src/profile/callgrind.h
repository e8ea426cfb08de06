// Profiles from callgrind, valgrind's call graph profiler: for programs that the emulator cannot
// run, and as a second opinion in tests. It must have run with --dump-instr=yes, so that costs have
// addresses.
#pragma once

#include "base/result.h"
#include "model/profile.h"
#include "profile/tally.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::profile {

/// What one output file of callgrind says, by object and by address as linked.
struct CallgrindOutput {
  struct Cost {
    std::uint32_t object = 0;
    std::uint64_t address = 0;
    std::uint64_t instructions = 0; ///< of this instruction, without what it called
  };
  struct Call {
    std::uint32_t from_object = 0;
    std::uint64_t from = 0;
    std::uint32_t to_object = 0;
    std::uint64_t to = 0; ///< where the callee was entered
    std::uint64_t calls = 0;
  };
  std::vector<std::string> objects; ///< paths of binaries
  std::vector<Cost> costs;
  std::vector<Call> calls;
};

/// The content of one output file. An Error names the line.
Result<CallgrindOutput> parse_callgrind(std::string_view text);

/// What the functions of the build executed and called, over all processes. As in all profiles, a
/// call is an arrival at a function's first instruction; callgrind also reports arrivals in the
/// middle, after longjmp and exceptions. It starts a forked child with its parent's counts, so that
/// a program that forks without exec counts what came before twice; and it does not tell direct
/// from indirect calls: all are given as direct.
Profile attribute(const std::vector<CallgrindOutput>& processes, const Tables& tables,
                  const Identify& identify);

} // namespace dragnet::profile
