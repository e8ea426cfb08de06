// Samples what a command executes, with the kernel's own timer (perf_event_open(2)): no privileges,
// no counters of the processor, hardly any cost.
#pragma once

#include "base/result.h"
#include "model/profile.h"
#include "profile/tally.h"
#include "run/job.h"

namespace dragnet::profile {

/// Runs a job to its end, its descendants included, and samples it about a thousand times a second
/// of processor time. What it prints is dropped. Fails when the kernel does not allow it, when the
/// job takes longer than its limit, or does not exit with 0.
Result<Profile> sample(const run::Job& job, const Tables& tables, const Identify& identify);

} // namespace dragnet::profile
