// What a run of a benchmark did by complete stacks: bytes and calls of system calls, allocations,
// or any cost of a profile.
#pragma once

#include "model/check.h"
#include "model/commit.h"
#include "model/profile.h"
#include "model/run.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dragnet {

/// A place in a stack. One that the compiler inlined has the binary of its caller.
struct StackFrame {
  FunctionId function;
  std::optional<SourcePlace> place; ///< of the call, or of the innermost code
  bool inlined = false;

  auto operator<=>(const StackFrame&) const = default;
};

/// What was done under one stack for one metric.
struct StackUse {
  std::size_t stack = 0; ///< its number in the profile
  std::string metric;    ///< "written", "read", "allocated", ...; amounts are in its unit
  std::string file;      ///< what it was done to, where that is a file; empty otherwise
  std::uint64_t calls = 0;
  std::uint64_t amount = 0;
};

/// One run, seen by stacks.
struct StackProfile {
  std::vector<StackFrame> frames;               ///< each once
  std::vector<std::vector<std::size_t>> stacks; ///< root first, as numbers of frames; each once
  std::vector<StackUse> uses;
  std::map<std::string, std::uint64_t> accounted; ///< by metric: the kernel's totals, where known
  std::uint64_t lost = 0;                         ///< records that could not be kept
};

/// A run of a benchmark that was watched by stacks: how it ended, and what it did.
struct WatchedRun {
  Run run;
  StackProfile profile;
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<std::string> gaps = {}; ///< what could not be seen, as sentences
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::string way = {}; ///< how it was watched, and why so; empty where from inside of programs
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::string chosen_way = {}; ///< the word for a way that the user chose; empty where none
};

/// All runs of one benchmark on one commit.
struct WatchedCommit {
  Commit commit;
  std::vector<WatchedRun> runs;
};

/// How the source of a function changed between two commits.
struct SourceHunk {
  FunctionId function;
  std::string text; ///< lines of a unified diff
};

} // namespace dragnet
