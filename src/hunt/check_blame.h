// Who is to blame for what a check found: for its reasons.
#pragma once

#include "analysis/blame/answer.h"
#include "base/progress.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"

#include <string>
#include <vector>

namespace dragnet::hunt {

/// Traces both commits on each benchmark that regressed, and puts the most suspicious changes in
/// front of what explains it. What cannot be traced is noted in the check. An Error only where the
/// user interrupts or nothing can be started.
Result<> blame_regressions(lab::Laboratory& laboratory, const std::vector<Benchmark>& benchmarks,
                           CheckedCommit& checked, Progress& progress);

/// What an answer says in one sentence; empty where no change explains the difference.
std::string blame_sentence(const blame::Answer& answer);

} // namespace dragnet::hunt
