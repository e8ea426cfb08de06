// Why a benchmark is run or skipped, as values that a program can read and as sentences for people.
// A reason to skip names what anyone can check.
#pragma once

#include "analysis/select/evidence.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::select {

enum class ReasonKind : std::uint8_t {
  // What the commit changed of that which the benchmark executes.
  ChangedCode,
  DeletedCode,
  ChangedData,
  NewCode,
  NewStartUpCode,
  ChangedLibrary,
  // What changed around it.
  ChangedFlags,
  ChangedCompiler,
  ChangedBenchmark,
  ChangedInputs,
  // What is not known.
  NoProfile,
  EmptyProfile,
  NoDifference,
  UncomparedBinary,
  FewSamples,
  Untrained,
  BeyondTraining,
  TooFarAway,
  // What a predictor says.
  LikelyEnough,
  IndicatorReached,
  // What speaks for skipping.
  NothingChanged,
  NothingExecutedChanged,
  LearnedHarmless,
  NoIndicatorReached,
  SameWork,
  // Skipped, but run as a test of the predictor.
  Audit,
};

/// The word of the kind in documents: "changed_code", ...
std::string_view name(ReasonKind kind);

struct Reason {
  ReasonKind kind = ReasonKind::NoProfile;
  std::string subject;   ///< a function, binary, library or indicator; or what is the trouble
  double share = 0;      ///< of the benchmark's instructions; or a probability, or a value
  double limit = 0;      ///< what that is compared with; or the share that samples may leave out
  std::size_t count = 0; ///< how many of the kind there are, if one stands for several
  std::string with;      ///< callees inlined in the function whose code changed, if any
};

/// "changed: insertCell, 14.2 % of this benchmark's instructions".
std::string sentence(const Reason& reason);

/// The pieces of the evidence, at most so many of each kind; the last of a kind tells how many more
/// there are.
std::vector<Reason> reasons_of(const Evidence& evidence, std::size_t most_of_a_kind);

/// What changed around the benchmark.
std::vector<Reason> reasons_of(const Circumstances& circumstances);

} // namespace dragnet::select
