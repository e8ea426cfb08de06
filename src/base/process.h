// Short commands of our own (git, compilers' versions): started without a shell, output captured.
// Measured programs are started elsewhere, by the room `run`.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet {

/// How a command ended. A signal's number n appears as 128 + n, as in a shell.
struct CommandOutput {
  int status = 0;
  std::string output;
  std::string errors;
};

/// What a command runs in; an empty folder means the current one. Entries NAME=value of
/// `environment` are added to ours or replace them; what `without` names of ours, the command does
/// not see.
struct CommandSurroundings {
  std::filesystem::path folder;
  std::vector<std::string> environment;
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<std::string> without{};
};

/// Runs a command to its end. Fails only when it cannot be started; a status other than 0 is an
/// answer.
Result<CommandOutput> run_command(const std::vector<std::string>& words,
                                  const CommandSurroundings& in = {});

/// The program of ours with this name: beside the running program, or in ../libexec/dragnet.
Result<std::filesystem::path> helper_program(const std::string& name);

/// The value of one of our environment variables; empty when it is not set.
std::string environment_variable(const std::string& name);

/// The first executable of this name in PATH, if there is one.
std::filesystem::path find_program(const std::string& name);

} // namespace dragnet
