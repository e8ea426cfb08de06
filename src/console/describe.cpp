#include "console/describe.h"

#include "base/text.h"
#include "console/command.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The build sets both from the project's version.
#ifndef DRAGNET_VERSION
#define DRAGNET_VERSION "0.1.0"
#endif
#ifndef DRAGNET_VERSION_DATE
#define DRAGNET_VERSION_DATE "2026-11-15"
#endif

namespace dragnet::console {
namespace {

std::string argument_in_usage(const Argument& argument) {
  const std::string many = argument.most > 1 ? "..." : "";
  return argument.least == 0 ? "[" + argument.name + "]" + many : argument.name + many;
}

/// "-b, --benchmark NAME", with room for the letter where there is none.
std::string label_of(const Option& option) {
  const std::string value = option.value.empty() ? "" : " " + option.value;
  if (option.name.empty())
    return "-" + option.letter + value;
  return (option.letter.empty() ? "    " : "-" + option.letter + ", ") + "--" + option.name + value;
}

std::string with_choices(std::string meaning, const std::vector<std::string>& choices) {
  return choices.empty() ? meaning : std::move(meaning) + ": " + join(choices, ", ");
}

std::string meaning_of(const Option& option) {
  std::string meaning = with_choices(option.meaning, option.choices);
  std::vector<std::string> notes;
  if (!option.standard.empty())
    notes.push_back("default: " + option.standard);
  if (option.repeated)
    notes.emplace_back("may be repeated");
  return notes.empty() ? meaning : fmt::format("{} ({})", meaning, join(notes, "; "));
}

Section options_section(std::string title, const std::vector<Option>& options) {
  Section section{.title = std::move(title), .text = {}, .entries = {}};
  for (const auto& option : options)
    section.entries.push_back({.label = label_of(option), .meaning = meaning_of(option)});
  return section;
}

Section arguments_section(const Command& command) {
  Section section{.title = "Arguments", .text = {}, .entries = {}};
  for (const auto& argument : command.arguments)
    section.entries.push_back(
        {.label = argument.name, .meaning = with_choices(argument.meaning, argument.choices)});
  return section;
}

Section examples_section(const std::vector<Example>& examples) {
  Section section{.title = "Examples", .text = {}, .entries = {}, .layout = Layout::Commands};
  for (const auto& example : examples)
    section.entries.push_back({.label = example.command, .meaning = example.meaning});
  return section;
}

Section exits_section(const std::vector<ExitStatus>& exits) {
  Section section{.title = "Exit status", .text = {}, .entries = {}, .layout = Layout::Narrow};
  for (const auto& exit : exits)
    section.entries.push_back({.label = fmt::format("{}", exit.status), .meaning = exit.meaning});
  return section;
}

/// One section for each group, in the order in which the groups first appear.
std::vector<Section> group_sections(const std::vector<Command>& commands) {
  std::vector<Section> sections;
  for (const auto& command : commands) {
    if (command.hidden)
      continue;
    const std::string title = command.group.empty() ? "Other" : command.group;
    auto section = std::ranges::find(sections, title, &Section::title);
    if (section == sections.end())
      section = sections.insert(section, Section{.title = title, .text = {}, .entries = {}});
    section->entries.push_back({.label = command.name, .meaning = command.summary});
  }
  return sections;
}

Section program_exits() {
  return exits_section({
      {.status = 0, .meaning = "done; for a comparison: nothing regressed"},
      {.status = 1, .meaning = "something regressed"},
      {.status = 2,
       .meaning = "trouble: wrong usage, bad configuration, a build or a run that failed"},
      {.status = 3, .meaning = "inconclusive: it could not tell"},
      {.status = 4, .meaning = "nothing was measured"},
      {.status = 130, .meaning = "interrupted; what was measured is kept"},
      {.status = 141, .meaning = "the reader of the answer went away"},
  });
}

Section program_files() {
  return {.title = "Files",
          .text = {},
          .entries = {{.label = "dragnet.toml",
                       .meaning = "what to build and what to measure, at the repository's root"},
                      {.label = ".dragnet/",
                       .meaning = "what was built and measured; it can be deleted at the cost of "
                                  "measuring again"}}};
}

Section program_environment() {
  return {.title = "Environment",
          .text = {},
          .entries = {{.label = "NO_COLOR", .meaning = "no colours, unless --colour asks for them"},
                      {.label = "TERM", .meaning = "dumb: no colours, no progress line"}}};
}

} // namespace

Page page_of(const Command& command) {
  Page page{.command = command.name,
            .summary = command.summary,
            .usage = usage_of(command),
            .description = command.description,
            .sections = {},
            .see_also = {""}};
  page.sections = {arguments_section(command), options_section("Options", command.options),
                   options_section("Common options", common_options()),
                   examples_section(command.examples),
                   exits_section(command.exits.empty() ? usual_exits() : command.exits)};
  std::erase_if(page.sections, [](const Section& section) { return section.entries.empty(); });
  return page;
}

Page overview(const std::vector<Command>& commands) {
  Page page{.command = {},
            .summary = "catch what drags a native program down as it evolves",
            .usage = "dragnet [COMMON OPTIONS] COMMAND [ARGUMENTS]",
            .description = "Dragnet measures commits of a native program and says honestly whether "
                           "it got slower.",
            .sections = group_sections(commands),
            .see_also = {}};
  auto options = common_options();
  options.push_back(version_option());
  page.sections.push_back(options_section("Common options", options));
  page.sections.push_back(program_exits());
  page.sections.push_back(program_files());
  page.sections.push_back(program_environment());
  for (const auto& command : commands)
    if (!command.hidden)
      page.see_also.push_back(command.name);
  return page;
}

std::vector<Block> blocks_of(std::string_view text) {
  std::vector<Block> blocks;
  bool fresh = true;
  for (const auto& line : lines(text)) {
    const bool literal = line.starts_with(' ');
    if (!line.empty() && (fresh || blocks.back().literal != literal))
      blocks.push_back({.literal = literal, .lines = {}});
    if (!line.empty())
      blocks.back().lines.push_back(line);
    fresh = line.empty();
  }
  return blocks;
}

std::string usage_of(const Command& command) {
  std::string usage = "dragnet " + command.name;
  if (!command.options.empty())
    usage += " [OPTIONS]";
  for (const auto& argument : command.arguments)
    usage += " " + argument_in_usage(argument);
  return usage;
}

const std::string& key_of(const Option& option) {
  return option.name.empty() ? option.letter : option.name;
}

std::string spelling_of(const Option& option) {
  return option.name.empty() ? "-" + option.letter : "--" + option.name;
}

std::string command_hint(std::string_view word, const std::vector<Command>& commands) {
  std::vector<std::string> known;
  for (const auto& command : commands)
    if (!command.hidden)
      known.push_back(command.name);
  const std::string meant = nearest(word, known);
  return meant.empty() ? "" : fmt::format("did you mean '{}'?", meant);
}

const Option& version_option() {
  static const Option option{.name = "version", .meaning = "show the version"};
  return option;
}

std::string_view version() {
  return DRAGNET_VERSION;
}

std::string_view version_date() {
  return DRAGNET_VERSION_DATE;
}

} // namespace dragnet::console
