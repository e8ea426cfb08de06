// Starts a command under a tracer and ends as it ends: what the programs that trace share.
#pragma once

#include "tracer/call_filter.h"
#include "tracer/notes.h"
#include "tracer/tracer.h"

#include <filesystem>

namespace dragnet::tracer {

/// Starts a command (its words, ended by null) under a tracer, watches it to its end, and leaves in
/// the folder what this program itself has transferred. Returns the exit status for this program,
/// or ends it by the signal that ended the command.
int watch_command(Tracer& tracer, Counting counting, const std::filesystem::path& folder,
                  char** words, const Notes& notes);

} // namespace dragnet::tracer
