// How a job ended, in the words of the domain.
#pragma once

#include "model/run.h"
#include "run/job.h"

#include <map>
#include <string>

namespace dragnet::lab {

/// Notes in a run how its job ended, how long that took, and what it printed.
void note_ending(const run::Finished& finished, Run& run);

/// What the kernel accounted for a job, by metric.
std::map<std::string, double> accounted(const run::Finished& finished);

} // namespace dragnet::lab
