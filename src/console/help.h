// Pages as plain text for a terminal: what --help prints.
#pragma once

#include "console/command.h"
#include "console/describe.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::console {

/// The help of a command, no line wider than `width` where words allow it.
std::string help_text(const Command& command, std::size_t width);

/// The overview of the program: usage, commands in groups, common options.
std::string overview_text(const std::vector<Command>& commands, std::size_t width);

/// Paragraphs filled to a width, each line after `indent` spaces. Lines that are indented already
/// stay as they are.
std::string filled(std::string_view text, std::size_t width, std::size_t indent);

/// The text with a capital letter and an end.
std::string sentence(std::string text);

} // namespace dragnet::console
