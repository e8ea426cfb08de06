// Tries parts of a difference: builds the old version with some of them and measures it against the
// old version as it was.
#pragma once

#include "analysis/blame/answer.h"
#include "base/progress.h"
#include "base/result.h"
#include "hunt/change_parts.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/run.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dragnet::hunt {

/// How trials are measured.
struct Measuring {
  Benchmark benchmark;
  std::string metric;
  std::size_t pairs = 10; ///< of runs, where the metric is noisy
};

class ChangeTrials {
public:
  /// Borrows all of it.
  ChangeTrials(lab::Laboratory& laboratory, const ChangeParts& parts, const Commit& old_commit,
               const Measuring& measuring, Progress& progress)
      : laboratory_(laboratory), parts_(parts), old_commit_(old_commit), measuring_(measuring),
        progress_(progress) {}

  /// The effect of parts of the difference, given by number and ascending.
  Result<blame::Trial> of(const std::vector<std::size_t>& numbers);

  /// Whether a count is repeated by every run: then one is enough.
  bool exact() const;

  /// The value of the old version, once something was measured.
  double old_value() const { return old_value_; }
  std::size_t builds() const { return known_.size(); }

private:
  Result<blame::Trial> tried(const std::vector<std::size_t>& numbers);
  Result<blame::Trial> counted(const Build& before, const Build& now);
  Result<blame::Trial> timed(const Build& before, const Build& now);

  lab::Laboratory& laboratory_;
  const ChangeParts& parts_;
  const Commit& old_commit_;
  const Measuring& measuring_;
  Progress& progress_;
  double old_value_ = 0;
  std::map<std::vector<std::size_t>, blame::Trial> known_;
};

} // namespace dragnet::hunt
