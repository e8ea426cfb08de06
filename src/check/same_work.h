// Counting before timing: a benchmark whose two sides are shown to do the same work needs no watch.
#pragma once

#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"

#include <optional>

namespace dragnet::check {

/// Two builds, and a benchmark's profile on one that executes what the base does.
struct CountedSides {
  const Build& base;
  const Build& commit;
  const Profile& before;
  const Difference& difference; ///< from the profiled build to the commit's
};

/// Whether counting can tell: the benchmark is judged by its work, that was counted before, and no
/// more of it was in changed code than may be.
bool can_be_counted(const CountedSides& sides, const Benchmark& benchmark);

/// Runs a benchmark on the commit's build, counted and once more timed, and the base where no run
/// of it is kept. The share of its instructions in changed code, where that is next to nothing and
/// it does the same work otherwise; nothing where that does not come out.
Result<std::optional<double>> counted_same_work(lab::Laboratory& laboratory,
                                                const CountedSides& sides,
                                                const Benchmark& benchmark);

} // namespace dragnet::check
