// What the kernel has accounted for threads (proc(5), /proc/PID/task/TID/io).
#pragma once

#include "runtime/stacks_format.h"

#include <sys/types.h>

namespace dragnet::tracer {

/// What a thread has transferred so far; zeros where that is not known.
dragnet_transfers accounted(pid_t process, pid_t thread);

/// What this program has transferred so far; it has one thread.
dragnet_transfers accounted_for_us();

void add(dragnet_transfers& sum, const dragnet_transfers& more);
dragnet_transfers difference(const dragnet_transfers& from, const dragnet_transfers& to);

} // namespace dragnet::tracer
