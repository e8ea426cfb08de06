// The processes below us. We are the reaper of all descendants, so that none can hide by losing its
// parent.
#pragma once

#include "starter/wire.h"

#include <sys/types.h>

namespace dragnet::starter {

/// Makes this process the one to which orphaned descendants fall.
void become_reaper();

/// Reaps one ended child and adds what it and its reaped descendants used to the report; returns
/// its wait status.
int reap(pid_t process, Report& report);

/// Ends every process below us and reaps it; each but `main_process` counts as lingering. Gives up
/// after ten seconds on those that the kernel will not end.
void end_all(pid_t main_process, Report& report);

} // namespace dragnet::starter
