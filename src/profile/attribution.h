// From the blocks that processes executed to the functions of the build.
#pragma once

#include "model/profile.h"
#include "profile/counts_file.h"
#include "profile/tally.h"

#include <span>
#include <string>

namespace dragnet::profile {

/// What the functions of the build executed and called, over all processes. Calls through a
/// linkage stub count as calls of the function that the stub leads to.
Profile attribute(std::span<const ProcessCounts> processes, const Tables& tables,
                  const Identify& identify);

/// The content of an entries file (runtime/counts_format.h) for these binaries.
std::string entries_file(const Tables& tables);

} // namespace dragnet::profile
