// Whether the placement of code in memory is behind a change of time: both sides are built once
// more, with their code aligned to lines of the cache, and measured again. What the commit does to
// the program shows there, too; what it did to where unchanged code lies does not.
#pragma once

#include "analysis/compare/compare.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dragnet::check {

/// Gives the verdict `exonerated` to what moved and does not move so in the other placement, and
/// says why; what moves there, too, is said to. Rows of other metrics, and open ones, say nothing.
void judge_placement(std::span<const compare::Row> rows, CheckedBenchmark& checked);

class PlacementTrial {
public:
  /// Borrows all of it. `measuring`: what is left of the budget; `building`: more seconds than this
  /// are not spent on builds.
  PlacementTrial(lab::Laboratory& laboratory, const Build& base, const Build& commit,
                 Seconds measuring, Seconds building, Progress& progress)
      : laboratory_(laboratory), base_(base), commit_(commit), measuring_(measuring),
        building_(building), progress_(progress) {}

  /// Tries a benchmark whose time moved, and judges it. That it cannot be tried is said in `why`;
  /// an Error is an interruption or trouble with the store.
  Result<> attempt(const Benchmark& benchmark, CheckedBenchmark& checked);

private:
  struct Sides {
    Build base;
    Build commit;
    bool built() const;
  };
  Result<const Sides*> sides();
  std::optional<std::string> obstacle() const;

  lab::Laboratory& laboratory_;
  const Build& base_;
  const Build& commit_;
  Seconds measuring_;
  Seconds building_;
  Progress& progress_;
  std::optional<Sides> sides_;
};

} // namespace dragnet::check
