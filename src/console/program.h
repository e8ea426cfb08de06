// The whole life of the program, from its words to its exit status.
#pragma once

#include "console/command.h"

#include <span>
#include <vector>

namespace dragnet::console {

/// Does what the words ask for (the first is the program's own name) and gives the exit status: the
/// command's own, or 2 after an Error or a failed write, 130 after an interrupt, 141 when the
/// reader of the answer went away.
int program(std::span<char*> words, const std::vector<Command>& commands);

} // namespace dragnet::console
