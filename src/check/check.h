// The main job: from a commit to a verdict with reasons, within the user's time. Builds both sides,
// predicts which benchmarks can have changed, measures those where it is worth most, and explains
// or exonerates what moved.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "check/prediction.h"
#include "check/question.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/commit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::check {

/// When to profile for predictions: now, where the base has no profile yet, before anything is
/// measured; later, for the next prediction, after the verdict; or never.
enum class Profiling : std::uint8_t { Now, Later, Never };

struct CheckRequest {
  Commit base;
  bool base_may_be_older = false; ///< where it does not build, the nearest before it that does
  Commit commit;
  Wanted wanted;
  Seconds budget{600}; ///< of measuring, kept pairs included
  double audit_share = 0.05;
  Profiling profiling = Profiling::Later;
  bool everything = false; ///< measure what is dismissed, too
};

struct CheckAnswer {
  CheckedCommit checked;
  std::vector<Benchmark> benchmarks; ///< as the checked ones are in their first order
  std::optional<Error> stopped_by;   ///< why it ended before its time
};

/// Checks a commit. That a side does not build is its outcome: nothing is measured then.
Result<CheckAnswer> check(lab::Laboratory& laboratory, const CheckRequest& request,
                          Progress& progress);

/// Takes the profiles that the next prediction needs: of benchmarks that may execute something else
/// than before. Returns how many were taken.
Result<std::size_t> profile_for_next(lab::Laboratory& laboratory, const CheckAnswer& answer);

} // namespace dragnet::check
