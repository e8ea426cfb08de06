// dragnet-trace FOLDER COMMAND...: starts a command and counts what its system calls do, by
// complete stacks and files, from outside (runtime/trace_wire.h). A program of its own, in front of
// the command: only the one that traces may wait for what it traces, and the starter of commands
// has others to wait for.

#include "tracer/call_filter.h"
#include "tracer/notes.h"
#include "tracer/tracer.h"
#include "tracer/watching.h"

#include <fmt/core.h>

#include <cstdio>

int main(int count, char** words) {
  using namespace dragnet::tracer; // NOLINT(google-build-using-namespace): this room's program
  if (count < 3) {
    fmt::print(stderr, "usage: dragnet-trace FOLDER COMMAND...\n");
    return 2;
  }
  Notes notes(words[1]);
  Tracer tracer(words[1], notes);
  return watch_command(tracer, Counting::ByStops, words[1], words + 2, notes);
}
