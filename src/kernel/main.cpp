// dragnet-trace-kernel FOLDER COMMAND...: as dragnet-trace, but the kernel counts (kernel_wire.h);
// programs are only stopped where they are started, fork, end or load code.

#include "kernel/kernel_calls.h"
#include "kernel/kernel_tracer.h"
#include "tracer/call_filter.h"
#include "tracer/notes.h"
#include "tracer/watching.h"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <utility>

int main(int count, char** words) {
  using namespace dragnet; // NOLINT(google-build-using-namespace): this room's program
  if (count < 3) {
    fmt::print(stderr, "usage: dragnet-trace-kernel FOLDER COMMAND...\n");
    return 2;
  }
  tracer::Notes notes(words[1]);
  auto calls = kernel::KernelCalls::load(std::filesystem::path(words[1]).parent_path());
  if (!calls) {
    notes.refuse(calls.error().what);
    return 127;
  }
  kernel::KernelTracer tracer(std::move(*calls), words[1], notes);
  return tracer::watch_command(tracer, tracer::Counting::Elsewhere, words[1], words + 2, notes);
}
