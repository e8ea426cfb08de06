// How a job ended, in the words of the domain.
#pragma once

#include "model/run.h"
#include "run/job.h"

namespace dragnet::lab {

/// Notes in a run how its job ended, how long that took, and what it printed.
void note_ending(const run::Finished& finished, Run& run);

} // namespace dragnet::lab
