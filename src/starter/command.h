// A command to start, as read from a Request, and the child process that becomes it.
#pragma once

#include "starter/wire.h"

#include <sys/types.h>

namespace dragnet::starter {

/// Pointers into the request's texts.
struct Command {
  Request request;
  char** words = nullptr;     ///< ended by a null pointer
  char** variables = nullptr; ///< ended by a null pointer
  const char* folder = nullptr;
  const char* input = nullptr;
};

/// The child and the pipes to it. It waits for a byte on `go` before it becomes the command; when
/// it cannot, it writes errno to `problem`.
struct Child {
  pid_t id = -1;
  int handle = -1; ///< a pidfd
  int go = -1;
  int problem = -1;
  int output = -1;
  int counter = -1; ///< a perf event on it and all its descendants, or -1
};

/// Forks the child with everything set up but not yet released. False, with errno, when that fails.
bool fork_child(const Command& command, Child& child);

/// Closes what is still open of the pipes.
void close_pipes(Child& child);

} // namespace dragnet::starter
