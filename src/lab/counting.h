// Instructions where the processor's counters are out of reach: one run inside valgrind, which
// counts them all.
#pragma once

#include "base/result.h"
#include "lab/state.h"
#include "model/run.h"
#include "run/executor.h"

#include <string_view>

namespace dragnet::lab {

/// Runs a job inside valgrind and adds its instructions, all its processes included, to the run.
Result<Run> count_instructions(run::Executor& executor, const State& state, run::Job job, Run run);

/// The instructions that a result file of valgrind's cachegrind states; 0 when it states none.
double instructions_in(std::string_view result);

} // namespace dragnet::lab
