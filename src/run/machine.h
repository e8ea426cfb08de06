// What this machine is and what it lets us do.
#pragma once

#include "model/machine.h"
#include "run/job.h"

#include <vector>

namespace dragnet::run {

/// This machine; the same answer until its processor, core count, kernel or identity changes.
Machine this_machine();

/// The counter of user-mode instructions, if the processor and the kernel let us use one.
std::optional<Counter> instruction_counter();

/// Whether an event can be counted in our own processes.
bool can_count(const Counter& counter);

/// The cores that we may run on, lowest first.
std::vector<int> allowed_cores();

/// The cores for a benchmark that may use `count` of them (0: all): the highest ones, which the
/// kernel's own work and ours use least.
std::vector<int> measuring_cores(int count);

} // namespace dragnet::run
