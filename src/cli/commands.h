// The commands of Dragnet, in the order in which the overview lists them.
#pragma once

#include "console/command.h"

#include <vector>

namespace dragnet::cli {

/// All commands, hidden ones included.
const std::vector<console::Command>& all_commands();

} // namespace dragnet::cli
