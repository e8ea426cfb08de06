// Scripts that let a shell complete Dragnet's commands, options and their values. Commits come from
// git, benchmarks from `dragnet __names benchmarks`, everything else is fixed when the script is
// made.
#pragma once

#include "console/command.h"

#include <string>
#include <vector>

namespace dragnet::console {

/// The script for bash 4 and later; it needs nothing from the package bash-completion.
std::string bash_completion(const std::vector<Command>& commands);

/// The script for zsh, to be sourced or to be put as _dragnet into a folder of $fpath.
std::string zsh_completion(const std::vector<Command>& commands);

/// The script for fish.
std::string fish_completion(const std::vector<Command>& commands);

} // namespace dragnet::console
