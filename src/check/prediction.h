// Which benchmarks can a commit have changed: gathers what the laboratory knows and lets the
// analysis decide.
#pragma once

#include "analysis/select/select.h"
#include "base/result.h"
#include "base/units.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::check {

/// Older profiles than this many commits back are not looked for.
inline constexpr std::size_t farthest_base = 200;

struct PredictionRequest {
  Build build;               ///< of the commit in question
  std::vector<Commit> bases; ///< to compare with: the first that is profiled
  std::vector<Benchmark> benchmarks;
  /// The build that the commit is judged against, where that is asked: a profile of an earlier one
  /// dismisses a benchmark only if this one, too, executes the same.
  std::optional<Build> against;
  select::Policy policy;
  /// How long to count what benchmarks do on the build, where they would be run for code that
  /// changed: what is shown to do the same work is dismissed. 0: nothing is run to predict.
  Seconds counting{0};
  double audit_share = 0; ///< of the dismissed, to be run anyway
  std::uint64_t seed = 0; ///< decides which
};

/// A decision and what it was compared with.
struct Advice {
  select::Decision decision;
  std::optional<Commit> base; ///< none: nothing was known
  std::size_t hops = 0;       ///< commits since the base
};

struct PredictionAnswer {
  std::vector<Advice> advice; ///< in the order of the benchmarks
  bool trained = false;       ///< whether the method had learned anything
};

/// Decides for each benchmark whether to run it, and notes what was said.
Result<PredictionAnswer> predict(lab::Laboratory& laboratory, const PredictionRequest& request);

/// What was learned in this project; untrained when nothing was.
Result<select::Learned> learned(lab::Laboratory& laboratory);

} // namespace dragnet::check
