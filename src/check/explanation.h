// Why a benchmark moved: profiles both sides of it and watches what its stacks do, and finds the
// functions behind it - or that it executes nothing that the commit changed.
#pragma once

#include "analysis/explain/both_sides.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "check/placement.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/function.h"
#include "model/lab.h"
#include "model/run.h"

#include <optional>
#include <vector>

namespace dragnet::check {

class Explainer {
public:
  /// Borrows all of it. The budgets are for trials of placement (check/placement.h).
  Explainer(lab::Laboratory& laboratory, const Build& base, const Build& commit, Seconds measuring,
            Seconds building, Progress& progress)
      : laboratory_(laboratory), base_(base), commit_(commit), progress_(progress),
        placement_(laboratory, base, commit, measuring, building, progress) {}

  /// Adds the functions behind a benchmark whose numbers moved, and exonerates it where it executes
  /// the same code as often as before, or where only the placement of code moved it. Profiles that
  /// cannot be taken are told in `why`; an Error is an interruption or trouble with the store.
  Result<> explain(const Benchmark& benchmark, CheckedBenchmark& checked);

private:
  Result<const Difference*> difference();
  void add_functions(const explain::BothSides& sides, CheckedBenchmark& checked) const;
  Result<> add_stacks(const Benchmark& benchmark, const std::vector<Pair>& pairs,
                      CheckedBenchmark& checked);

  lab::Laboratory& laboratory_;
  const Build& base_;
  const Build& commit_;
  Progress& progress_;
  PlacementTrial placement_;
  std::optional<Result<Difference>> difference_;
};

} // namespace dragnet::check
