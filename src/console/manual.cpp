#include "console/manual.h"

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "console/command.h"
#include "console/describe.h"
#include "console/frame_commands.h"
#include "console/help.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::console {
namespace {

constexpr std::size_t source_width = 78;

bool is_letter(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_';
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char byte) { return static_cast<char>(std::toupper(byte)); });
  return text;
}

std::string page_name(const std::string& command) {
  return command.empty() ? "dragnet" : "dragnet-" + command;
}

/// How many bytes the UTF-8 character that starts with this byte has, and the bits of the first
/// that count.
struct Lead {
  std::size_t length;
  unsigned bits;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xF0)
    return {.length = 4, .bits = byte & 0x07U};
  if (byte >= 0xE0)
    return {.length = 3, .bits = byte & 0x0FU};
  return {.length = 2, .bits = byte & 0x1FU};
}

/// The character at the start of a text as a roff escape; removes it from the text.
std::string take_character(std::string_view& text) {
  const Lead lead = lead_of(static_cast<unsigned char>(text.front()));
  unsigned code = lead.bits;
  for (std::size_t i = 1; i < std::min(lead.length, text.size()); ++i)
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  text.remove_prefix(std::min(lead.length, text.size()));
  return fmt::format("\\[u{:04X}]", code);
}

/// Text that roff prints as it is. A dash becomes the one that can be copied into a shell.
std::string escaped(std::string_view text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  while (!text.empty()) {
    const char byte = text.front();
    if (static_cast<unsigned char>(byte) >= 0x80) {
      result += take_character(text);
      continue;
    }
    text.remove_prefix(1);
    if (byte == '\\')
      result += "\\e";
    else if (byte == '-')
      result += "\\-";
    else
      result += byte;
  }
  return result;
}

/// Usages and labels: what is typed as it is in bold, what stands for something in italics.
std::string emphasised(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto* const end = std::ranges::find_if_not(
        text, [](char byte) { return is_letter(byte) || std::string_view("-./").contains(byte); });
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    if (word.empty()) {
      result += escaped(text.substr(0, 1));
      text.remove_prefix(1);
      continue;
    }
    const bool placeholder = std::isupper(static_cast<unsigned char>(word.front())) != 0 &&
                             upper(std::string(word)) == word;
    result += fmt::format("\\f{}{}\\fR", placeholder ? 'I' : 'B', escaped(word));
    text.remove_prefix(word.size());
  }
  return result;
}

/// Text in lines that are easy to read in the source of the page.
std::string roff_lines(std::string_view text) {
  std::string result;
  for (const auto& line : lines(filled(text, source_width, 0)))
    result += escaped(line) + "\n";
  return result;
}

std::string roff_text(std::string_view text) {
  std::string result;
  for (const auto& block : blocks_of(text)) {
    result += result.empty() ? "" : ".PP\n";
    if (!block.literal) {
      result += roff_lines(join(block.lines, " "));
      continue;
    }
    result += ".nf\n";
    for (const auto& line : block.lines)
      result += escaped(line) + "\n";
    result += ".fi\n";
  }
  return result;
}

std::string roff_entries(const Section& section) {
  std::string text;
  for (const auto& entry : section.entries) {
    const std::string meaning = roff_lines(entry.meaning);
    if (section.layout != Layout::Commands)
      text += fmt::format(".TP\n{}\n{}", emphasised(trim(entry.label)), meaning);
    else
      text += fmt::format("{}.nf\n{}\n.fi\n.RS 4\n{}.RE\n", text.empty() ? "" : ".PP\n",
                          escaped(entry.label), meaning);
  }
  return text;
}

std::string roff_see_also(const std::vector<std::string>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const auto& command : commands)
    names.push_back(fmt::format("\\fB{}\\fR(1)", escaped(page_name(command))));
  return names.empty() ? "" : ".SH \"SEE ALSO\"\n" + join(names, ",\n") + "\n";
}

std::string markdown_text(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside =
        i > 0 && i + 1 < text.size() && is_letter(text[i - 1]) && is_letter(text[i + 1]);
    const bool special =
        std::string_view("\\*<[`").contains(text[i]) || (text[i] == '_' && !inside);
    result += special ? std::string("\\") + text[i] : std::string(1, text[i]);
  }
  return result;
}

std::string markdown_paragraphs(std::string_view text) {
  std::string result;
  for (const auto& block : blocks_of(text)) {
    if (!block.literal) {
      result += "\n" + filled(markdown_text(join(block.lines, " ")), source_width, 0);
      continue;
    }
    const std::size_t indent = block.lines.front().find_first_not_of(' ');
    result += "\n```\n";
    for (const auto& line : block.lines)
      result += line.substr(std::min(indent, line.find_first_not_of(' '))) + "\n";
    result += "```\n";
  }
  return result;
}

std::string markdown_section(const Section& section) {
  std::string result =
      fmt::format("\n## {}\n{}", section.title, section.layout == Layout::Commands ? "" : "\n");
  for (const auto& entry : section.entries)
    result += section.layout == Layout::Commands
                  ? fmt::format("\n```sh\n{}\n```\n\n{}\n", entry.label,
                                markdown_text(sentence(entry.meaning)))
                  : fmt::format("- `{}`: {}\n", trim(entry.label), markdown_text(entry.meaning));
  return result;
}

std::string markdown_see_also(const std::vector<std::string>& commands) {
  std::vector<std::string> links;
  links.reserve(commands.size());
  for (const auto& command : commands)
    links.push_back(fmt::format("[dragnet{}{}]({})", command.empty() ? "" : " ", command,
                                markdown_file(command)));
  return links.empty() ? "" : "\n## See also\n\n" + join(links, ",\n") + "\n";
}

Result<> write_pages(const std::filesystem::path& folder, const std::string& format,
                     const Surroundings& around) {
  TRY(make_folder(folder));
  std::vector<Page> pages{overview(around.commands)};
  for (const auto& command : around.commands)
    if (!command.hidden)
      pages.push_back(page_of(command));
  for (const auto& page : pages) {
    const bool is_roff = format == "roff";
    TRY(write_file(folder / (is_roff ? roff_file(page.command) : markdown_file(page.command)),
                   is_roff ? roff(page) : markdown(page)));
  }
  return success();
}

Result<int> manual(const Words& words, Surroundings& around) {
  const std::string format = words.value("format");
  if (words.has("into")) {
    TRY(write_pages(words.value("into"), format, around));
    return 0;
  }
  const std::string name = words.argument("COMMAND");
  const Page page =
      name.empty() ? overview(around.commands) : page_of(*TRY(command_named(name, words, around)));
  around.output.write(format == "roff" ? roff(page) : markdown(page));
  return 0;
}

} // namespace

std::string roff(const Page& page) {
  std::string text =
      fmt::format(".TH \"{}\" \"1\" \"{}\" \"dragnet {}\" \"Dragnet manual\"\n",
                  escaped(upper(page_name(page.command))), version_date(), version());
  text +=
      fmt::format(".SH NAME\n{} \\- {}\n", escaped(page_name(page.command)), escaped(page.summary));
  text += fmt::format(".SH SYNOPSIS\n{}\n", emphasised(page.usage));
  if (!page.description.empty())
    text += ".SH DESCRIPTION\n" + roff_text(page.description);
  for (const auto& section : page.sections) {
    text += fmt::format(".SH \"{}\"\n", escaped(upper(section.title)));
    text += roff_text(section.text) + roff_entries(section);
  }
  return text + roff_see_also(page.see_also);
}

std::string markdown(const Page& page) {
  const std::string title = page.command.empty() ? "dragnet" : "dragnet " + page.command;
  std::string text =
      fmt::format("# {}: {}\n\n```\n{}\n```\n", title, markdown_text(page.summary), page.usage);
  if (!page.description.empty())
    text += markdown_paragraphs(page.description);
  for (const auto& section : page.sections)
    text += markdown_section(section);
  return text + markdown_see_also(page.see_also);
}

std::string roff_file(const std::string& command) {
  return page_name(command) + ".1";
}

std::string markdown_file(const std::string& command) {
  return (command.empty() ? "dragnet" : command) + ".md";
}

Command manual_command() {
  return {.name = "manual",
          .group = "Other",
          .summary = "print or write the manual pages",
          .description =
              "Prints the page of one command, or of the program when no command is named.",
          .arguments = {{.name = "COMMAND",
                         .meaning = "whose page to print",
                         .least = 0,
                         .completes = Completes::Command}},
          .options = {{.name = "format",
                       .value = "FORMAT",
                       .meaning = "how to write it",
                       .standard = "roff",
                       .choices = {"roff", "markdown"}},
                      {.name = "into",
                       .value = "FOLDER",
                       .meaning = "write all pages as files into this folder",
                       .completes = Completes::Folder}},
          .hidden = true,
          .act = manual};
}

} // namespace dragnet::console
