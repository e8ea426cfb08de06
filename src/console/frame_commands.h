// The commands about the command line itself; all_commands() lists them beside the real ones.
#pragma once

#include "base/result.h"
#include "console/command.h"

#include <string>

namespace dragnet::console {

/// `dragnet help [COMMAND]`
Command help_command();

/// `dragnet completion bash|zsh|fish`
Command completion_command();

/// `dragnet manual [COMMAND]`, hidden: prints or writes the manual pages.
Command manual_command();

/// The command that a user named as an argument; an Error suggests the one that was probably meant.
Result<const Command*> command_named(const std::string& name, const Words& words,
                                     const Surroundings& around);

} // namespace dragnet::console
