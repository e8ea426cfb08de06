#include "console/completion.h"

#include "base/result.h"
#include "base/text.h"
#include "console/command.h"
#include "console/completion_frames.h"
#include "console/describe.h"
#include "console/frame_commands.h"
#include "model/metric.h"

#include <fmt/core.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::console {
namespace {

std::string opening(std::string_view shell) {
  return fmt::format("# Completion of dragnet in {0}, made by: dragnet completion {0}\n", shell);
}

std::vector<const Command*> shown(const std::vector<Command>& commands) {
  std::vector<const Command*> result;
  for (const auto& command : commands)
    if (!command.hidden)
      result.push_back(&command);
  return result;
}

/// The fixed words for a place, or none when they are found at the time of completion.
std::vector<std::string> fixed_words(Completes completes, const std::vector<std::string>& choices,
                                     const std::vector<Command>& commands) {
  if (!choices.empty())
    return choices;
  std::vector<std::string> names;
  if (completes == Completes::Metric)
    return metric_names();
  if (completes == Completes::Command)
    for (const Command* command : shown(commands))
      names.push_back(command->name);
  return names;
}

/// What completes a place, in the words of one shell.
struct Sources {
  std::string commit;
  std::string benchmark;
  std::string file;
  std::string folder;
  std::string nothing;
};

std::string source_of(Completes completes, const Sources& sources) {
  switch (completes) {
  case Completes::Commit:
    return sources.commit;
  case Completes::Benchmark:
    return sources.benchmark;
  case Completes::File:
    return sources.file;
  case Completes::Folder:
    return sources.folder;
  default:
    return sources.nothing;
  }
}

/// All spellings of an option with their dashes.
std::vector<std::string> spellings(const Option& option) {
  std::vector<std::string> all;
  if (!option.letter.empty())
    all.push_back("-" + option.letter);
  if (!option.name.empty())
    all.push_back("--" + option.name);
  if (!option.also.empty())
    all.push_back("--" + option.also);
  return all;
}

std::string bash_kind(Completes completes, const std::vector<std::string>& choices,
                      const std::vector<Command>& commands) {
  const auto fixed = fixed_words(completes, choices, commands);
  return fixed.empty() ? source_of(completes, {.commit = "commit",
                                               .benchmark = "benchmark",
                                               .file = "file",
                                               .folder = "directory",
                                               .nothing = "any"})
                       : "choice " + join(fixed, " ");
}

/// The branches of a case that tell what the values of these options are.
std::string bash_values(const std::string& verb, const std::vector<Option>& options,
                        const std::vector<Command>& commands) {
  std::string branches;
  for (const auto& option : options) {
    if (option.value.empty())
      continue;
    std::vector<std::string> patterns;
    for (const auto& spelling : spellings(option))
      patterns.push_back(fmt::format("{}:{}", verb, spelling));
    branches += fmt::format("    {}) echo '{}' ;;\n", join(patterns, " | "),
                            bash_kind(option.completes, option.choices, commands));
  }
  return branches;
}

std::string bash_arguments(const Command& command, const std::vector<Command>& commands) {
  std::string branches;
  std::size_t place = 0;
  for (const auto& argument : command.arguments) {
    const std::string kind = bash_kind(argument.completes, argument.choices, commands);
    if (argument.most == any_number)
      return branches + fmt::format("    {}:*) echo '{}' ;;\n", command.name, kind);
    for (std::size_t i = 0; i < argument.most; ++i)
      branches += fmt::format("    {}:{}) echo '{}' ;;\n", command.name, place++, kind);
  }
  return branches;
}

std::string bash_options(const std::vector<Option>& options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const auto& option : options)
    names.push_back(spelling_of(option));
  return join(names, " ");
}

std::string zsh_action(Completes completes, const std::vector<std::string>& choices,
                       const std::vector<Command>& commands) {
  const auto fixed = fixed_words(completes, choices, commands);
  return fixed.empty() ? source_of(completes, {.commit = "_dragnet_commits",
                                               .benchmark = "_dragnet_benchmarks",
                                               .file = "_files",
                                               .folder = "_files -/",
                                               .nothing = " "})
                       : "(" + join(fixed, " ") + ")";
}

/// A text inside a specification of _arguments, where some characters have a meaning.
std::string zsh_escaped(std::string text) {
  for (const std::string_view special : {"\\", "[", "]", ":"})
    text = replace_all(std::move(text), special, fmt::format("\\{}", special));
  return text;
}

/// One specification of _arguments for each spelling of an option.
std::string zsh_option(const Option& option, const std::vector<Command>& commands) {
  const auto all = spellings(option);
  const std::string before = option.repeated ? "*" : "(" + join(all, " ") + ")";
  const std::string meaning = zsh_escaped(option.meaning);
  std::string result;
  for (const auto& spelling : all) {
    std::string specification = fmt::format("{}{}[{}]", before, spelling, meaning);
    if (!option.value.empty())
      specification = fmt::format("{}{}{}[{}]:{}:{}", before, spelling,
                                  spelling.starts_with("--") ? "=" : "+", meaning, option.value,
                                  zsh_action(option.completes, option.choices, commands));
    result += fmt::format(" \\\n        {}", shell_quoted(specification));
  }
  return result;
}

std::string zsh_options(const std::vector<Option>& options, const std::vector<Command>& commands) {
  std::string result;
  for (const auto& option : options)
    result += zsh_option(option, commands);
  return result;
}

std::string zsh_arguments(const Command& command, const std::vector<Command>& commands) {
  std::string result;
  std::size_t place = 0;
  for (const auto& argument : command.arguments) {
    const std::string action = zsh_action(argument.completes, argument.choices, commands);
    const std::size_t times = argument.most == any_number ? 1 : argument.most;
    for (std::size_t i = 0; i < times; ++i) {
      const std::string where = argument.most == any_number
                                    ? "*:"
                                    : fmt::format("{}{}", ++place, i < argument.least ? ":" : "::");
      result += fmt::format(" \\\n        {}",
                            shell_quoted(fmt::format("{}{}:{}", where, argument.name, action)));
    }
  }
  return result;
}

std::string fish_words(Completes completes, const std::vector<std::string>& choices,
                       const std::vector<Command>& commands) {
  const auto fixed = fixed_words(completes, choices, commands);
  if (!fixed.empty())
    return " -a " + shell_quoted(join(fixed, " "));
  return source_of(completes, {.commit = " -a '(__dragnet_commits)'",
                               .benchmark = " -a '(__dragnet_benchmarks)'",
                               .file = " -F",
                               .folder = " -a '(__fish_complete_directories)'",
                               .nothing = ""});
}

std::string fish_quoted(std::string text) {
  return "'" + replace_all(replace_all(std::move(text), "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_option(const std::string& condition, const Option& option,
                        const std::vector<Command>& commands) {
  std::string line = "complete -c dragnet" + condition;
  if (!option.letter.empty())
    line += " -s " + option.letter;
  if (!option.name.empty())
    line += " -l " + option.name;
  if (!option.value.empty())
    line += (option.completes == Completes::File ? " -r" : " -x") +
            fish_words(option.completes, option.choices, commands);
  return line + " -d " + fish_quoted(option.meaning) + "\n";
}

Result<int> completion(const Words& words, Surroundings& around) {
  const std::string shell = words.argument("SHELL");
  if (shell == "bash")
    around.output.write(bash_completion(around.commands));
  else if (shell == "zsh")
    around.output.write(zsh_completion(around.commands));
  else
    around.output.write(fish_completion(around.commands));
  return 0;
}

} // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  const std::string all = bash_options(common_options());
  std::string options;
  std::string values;
  std::string arguments =
      fmt::format("    :*) echo '{}' ;;\n", bash_kind(Completes::Command, {}, commands));
  for (const Command* command : shown(commands)) {
    options += fmt::format("    {}) echo '{} {}' ;;\n", command->name,
                           bash_options(command->options), all);
    values += bash_values(command->name, command->options, commands);
    arguments += bash_arguments(*command, commands);
  }
  options += fmt::format("    *) echo '{} --version' ;;\n", all);
  values += bash_values("*", common_options(), commands);
  std::string script = opening("bash");
  script += "\n_dragnet_options() {\n  case $1 in\n" + options + "  esac\n}\n";
  script += "\n# What the value of an option is; nothing for a flag.\n_dragnet_value() {\n  case "
            "$1:$2 in\n" +
            values + "  esac\n}\n";
  script += "\n_dragnet_argument() {\n  case $1:$2 in\n" + arguments + "  esac\n}\n";
  return script + std::string(bash_frame);
}

std::string zsh_completion(const std::vector<Command>& commands) {
  const std::string common = zsh_options(common_options(), commands);
  std::string names;
  std::string branches;
  for (const Command* command : shown(commands)) {
    names += "    " + shell_quoted(command->name + ":" + zsh_escaped(command->summary)) + "\n";
    branches += fmt::format("    {})\n      _arguments{}{}{}\n      ;;\n", command->name,
                            zsh_options(command->options, commands),
                            zsh_arguments(*command, commands), common);
  }
  std::string script = "#compdef dragnet\n" + opening("zsh") + std::string(zsh_frame);
  script += "\n_dragnet_verbs() {\n  local -a names\n  names=(\n" + names +
            "  )\n  _describe command names\n}\n";
  script += "\n_dragnet() {\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n";
  script += "  _arguments -C" + common + " \\\n        '--version[show the version]'" +
            " \\\n        '1:command:_dragnet_verbs' \\\n        '*::argument:->rest'\n";
  script += "  [[ $state == rest ]] || return\n  case $line[1] in\n" + branches + "  esac\n}\n";
  return script + std::string(zsh_end);
}

std::string fish_completion(const std::vector<Command>& commands) {
  std::string script = opening("fish") + std::string(fish_frame);
  for (const auto& option : common_options())
    script += fish_option("", option, commands);
  script += fish_option(" -n '__dragnet_is \"\"'", version_option(), commands);
  for (const Command* command : shown(commands)) {
    script += fmt::format("complete -c dragnet -n '__dragnet_is \"\"' -a {} -d {}\n", command->name,
                          fish_quoted(command->summary));
    const std::string condition = fmt::format(" -n '__dragnet_is {}'", command->name);
    std::set<std::string> offers;
    for (const auto& argument : command->arguments)
      offers.insert(fish_words(argument.completes, argument.choices, commands));
    for (const auto& offer : offers)
      script += offer.empty() ? "" : fmt::format("complete -c dragnet{}{}\n", condition, offer);
    for (const auto& option : command->options)
      script += fish_option(condition, option, commands);
  }
  return script;
}

Command completion_command() {
  return {
      .name = "completion",
      .group = "Other",
      .summary = "print a script that lets the shell complete Dragnet's words",
      .description = "The script completes commands, options, commits, benchmarks and metrics.",
      .arguments = {{.name = "SHELL", .meaning = "the shell", .choices = {"bash", "zsh", "fish"}}},
      .examples = {{.command = "source <(dragnet completion bash)",
                    .meaning = "in ~/.bashrc: complete in every new bash"},
                   {.command = "source <(dragnet completion zsh)",
                    .meaning = "in ~/.zshrc, after compinit"},
                   {.command = "dragnet completion fish > ~/.config/fish/completions/dragnet.fish",
                    .meaning = "for fish, once"}},
      .act = completion};
}

} // namespace dragnet::console
