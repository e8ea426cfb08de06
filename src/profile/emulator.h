// Runs the programs of a job inside QEMU with our plugin, which leaves counts files behind.
#pragma once

#include "base/result.h"
#include "profile/tally.h"
#include "run/job.h"

#include <filesystem>
#include <string>

namespace dragnet::profile {

/// Whether this machine has the emulator.
bool has_emulator();

/// The same job with the programs below a folder (a resolved path) inside the emulator, counts
/// files and all that it needs in the folder `into`. Fails where a part of Dragnet is missing.
Result<run::Job> inside_emulator(run::Job job, const std::string& below,
                                 const std::filesystem::path& into, const Tables& tables);

/// The same job with the programs below a folder inside the emulator, where the clock of the call
/// tracer counts instructions.
Result<run::Job> inside_instruction_clock(run::Job job, const std::string& below);

} // namespace dragnet::profile
