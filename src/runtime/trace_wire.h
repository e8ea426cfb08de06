// How dragnet-trace is started, and what it leaves beside its stacks files, for C and C++:
//   dragnet-trace FOLDER COMMAND...
// starts a command, ends as it ends, and leaves in the folder the stacks files of all its processes
// (runtime/stacks_format.h), and one of its own process that says what it transferred itself.
#pragma once

// Lines that say what was not seen.
#define DRAGNET_TRACE_NOTES "notes"
// Why nothing can be watched at all; the command was not started.
#define DRAGNET_TRACE_REFUSED "refused"
// The error number with which the command could not be started.
#define DRAGNET_TRACE_NOT_STARTED "not-started"
