#include "console/help.h"

#include "base/result.h"
#include "base/text.h"
#include "console/command.h"
#include "console/describe.h"
#include "console/frame_commands.h"
#include "console/terminal.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::console {
namespace {

constexpr std::size_t widest_label = 26;

/// Fills one paragraph, whose words are separated by white space, into lines.
std::vector<std::string> fill_lines(std::string_view paragraph, std::size_t width) {
  std::vector<std::string> filled_lines{""};
  for (const auto& word : split(paragraph, ' ')) {
    if (word.empty())
      continue;
    std::string& line = filled_lines.back();
    if (line.empty())
      line = word;
    else if (shown_width(line) + 1 + shown_width(word) <= width)
      line += " " + word;
    else
      filled_lines.push_back(word);
  }
  return filled_lines;
}

/// The width of the widest label that may stand beside its meaning; a wider one stands above it.
std::size_t label_column(const std::vector<Entry>& entries) {
  std::size_t column = 0;
  for (const auto& entry : entries)
    if (const std::size_t label = shown_width(entry.label); label <= widest_label)
      column = std::max(column, label);
  return column;
}

std::string table(const std::vector<Entry>& entries, std::size_t column, std::size_t width) {
  std::string text;
  const std::string next_line = "\n" + std::string(column + 4, ' ');
  for (const auto& entry : entries) {
    const std::size_t label = shown_width(entry.label);
    std::string gap = label > column ? next_line : std::string(column + 2 - label, ' ');
    text += "  " + entry.label;
    for (const auto& line : fill_lines(entry.meaning, width - column - 4)) {
      text += gap + line;
      gap = next_line;
    }
    text += '\n';
  }
  return text;
}

std::string section_text(const Section& section, std::size_t column, std::size_t width) {
  std::string text = "\n" + section.title + ":\n" + filled(section.text, width, 2);
  if (section.layout == Layout::Table)
    return text + table(section.entries, column, width);
  if (section.layout == Layout::Narrow)
    return text + table(section.entries, label_column(section.entries), width);
  for (const auto& entry : section.entries)
    text += "  " + entry.label + "\n" + filled(entry.meaning, width, 6);
  return text;
}

std::string page_text(const Page& page, std::size_t width) {
  std::string text = "Usage: " + page.usage + "\n";
  if (!page.command.empty())
    text += "\n" + filled(sentence(page.summary), width, 0);
  if (!page.description.empty())
    text += "\n" + filled(page.description, width, 0);
  std::size_t column = 0;
  for (const auto& section : page.sections)
    if (section.layout == Layout::Table)
      column = std::max(column, label_column(section.entries));
  for (const auto& section : page.sections)
    text += section_text(section, column, width);
  return text;
}

Result<int> help(const Words& words, Surroundings& around) {
  const std::string name = words.argument("COMMAND");
  if (name.empty()) {
    around.output.write(overview_text(around.commands, page_width()));
    return 0;
  }
  const Command* command = TRY(command_named(name, words, around));
  around.output.write(help_text(*command, page_width()));
  return 0;
}

} // namespace

std::string filled(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  const std::string margin(indent, ' ');
  for (const auto& block : blocks_of(text)) {
    result += result.empty() ? "" : "\n";
    const auto block_lines =
        block.literal ? block.lines : fill_lines(join(block.lines, " "), width - indent);
    for (const auto& line : block_lines)
      result += margin + line + "\n";
  }
  return result;
}

std::string sentence(std::string text) {
  if (text.empty())
    return text;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  const bool ended = std::string_view(".?!").contains(text.back());
  return ended ? text : text + ".";
}

std::string help_text(const Command& command, std::size_t width) {
  return page_text(page_of(command), width);
}

std::string overview_text(const std::vector<Command>& commands, std::size_t width) {
  Page page = overview(commands);
  // Short enough for one screen: the manual page tells the rest.
  std::erase_if(page.sections, [](const Section& section) {
    return section.title == "Files" || section.title == "Environment" ||
           section.title == "Exit status";
  });
  return page_text(page, width) + "\nSee 'dragnet help COMMAND' for one command.\n";
}

Result<const Command*> command_named(const std::string& name, const Words& words,
                                     const Surroundings& around) {
  if (const Command* found = find_command(around.commands, name))
    return found;
  return words.misuse(fmt::format("unknown command '{}'", name),
                      command_hint(name, around.commands));
}

Command help_command() {
  return {.name = "help",
          .group = "Other",
          .summary = "explain a command",
          .description = "Without a command it lists them all. 'dragnet COMMAND --help' does the "
                         "same.",
          .arguments = {{.name = "COMMAND",
                         .meaning = "the command to explain",
                         .least = 0,
                         .completes = Completes::Command}},
          .examples = {{.command = "dragnet help completion",
                        .meaning = "how to let the shell complete Dragnet's words"}},
          .act = help};
}

} // namespace dragnet::console
