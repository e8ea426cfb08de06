// A command's description as a page of sections. --help, roff and Markdown are three renderings of
// the same page.
#pragma once

#include "console/command.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::console {

/// A label and what it means: an option, an argument, an exit status, a command.
struct Entry {
  std::string label;
  std::string meaning;
};

/// How a section's entries are laid out: beside their meanings in the page's column, beside them in
/// a narrow one, or as commands to type above them.
enum class Layout : std::uint8_t { Table, Narrow, Commands };

/// A titled part of a page: paragraphs, entries, or both.
struct Section {
  std::string title;
  std::string text;
  std::vector<Entry> entries;
  Layout layout = Layout::Table;
};

/// A part of a longer text: a paragraph, or lines that stay as they are.
struct Block {
  bool literal = false;
  std::vector<std::string> lines;
};

/// A page about the program or one of its commands.
struct Page {
  std::string command; // nothing for the overview
  std::string summary;
  std::string usage;
  std::string description;
  std::vector<Section> sections;
  std::vector<std::string> see_also; // commands; nothing stands for the overview
};

/// The page about a command.
Page page_of(const Command& command);

/// The page about the program: its commands in their groups, what holds for all of them.
Page overview(const std::vector<Command>& commands);

/// The paragraphs of a text, which blank lines separate; indented lines are literal and lose no
/// space.
std::vector<Block> blocks_of(std::string_view text);

/// "dragnet compare [OPTIONS] BASE [NEW]"
std::string usage_of(const Command& command);

/// The name that Words knows an option by: its name, or its letter when it has none.
const std::string& key_of(const Option& option);

/// An option as it is typed: "--budget", or "-C" when it has no name.
std::string spelling_of(const Option& option);

/// "did you mean 'compare'?" for a word that is no command, or nothing when no command is near.
std::string command_hint(std::string_view word, const std::vector<Command>& commands);

/// The option that only the program itself has.
const Option& version_option();

/// The version of the program, "0.1.0".
std::string_view version();

/// The day of the version as manual pages show it, "2026-11-15".
std::string_view version_date();

} // namespace dragnet::console
