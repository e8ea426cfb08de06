// From the words of a command line to a command and its options. Ours rather than a library's, so
// that common options may stand on both sides of the command and each mistake gets its own message
// and the word that was probably meant.
#pragma once

#include "base/result.h"
#include "console/command.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::console {

/// What the user asks for: that a command acts, help, or the version.
enum class Request : std::uint8_t { Act, Help, Version };

/// A command line that makes sense. Without a command, help means the overview.
struct CommandLine {
  const Command* command = nullptr;
  Words words;
  Request request = Request::Act;
};

/// Understands the words after the program's own name; an Error says which word is wrong. The
/// result points into `commands`.
Result<CommandLine> parse(const std::vector<std::string>& words,
                          const std::vector<Command>& commands);

} // namespace dragnet::console
