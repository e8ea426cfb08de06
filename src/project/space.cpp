#include "project/space.h"

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "model/benchmark.h"
#include "model/configuration.h"
#include "project/clauses.h"
#include "project/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace {

constexpr std::string_view place_of_options = "$DRAGNET_OPTIONS";

// "--index=hash" is "hash", "--fast" is "fast".
std::string short_name(std::string_view choice) {
  if (choice.starts_with('-') && choice.contains('='))
    choice.remove_prefix(choice.rfind('=') + 1);
  while (choice.starts_with('-'))
    choice.remove_prefix(1);
  return std::string(choice);
}

// Short where that tells them apart.
std::vector<std::string> names_of_choices(const std::vector<std::string>& choices) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const std::string& choice : choices)
    names.push_back(short_name(choice));
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  const bool clear = std::ranges::adjacent_find(sorted) == sorted.end() &&
                     std::ranges::find(sorted, "") == sorted.end();
  return clear ? names : choices;
}

class Maker {
public:
  explicit Maker(const Project& project) : project_(project) {}

  Result<OptionSpace> make() {
    for (std::size_t i = 0; i < project_.options.size(); ++i)
      add(i);
    for (const WrittenClause& clause : project_.clauses)
      take(TRY_WHILE(
          fmt::format("{}:{}: the clause '{}'", configuration_name, clause.line, clause.text),
          parse_clause(clause.text, vocabulary_)));
    if (!project_.dimacs.empty()) {
      const std::string text =
          TRY_WHILE("the constraints in 'dimacs'", read_file(project_.root / project_.dimacs));
      take(TRY_WHILE(project_.dimacs, parse_dimacs(text, vocabulary_)));
    }
    return std::move(made_);
  }

private:
  void add(std::size_t number) {
    const Option& option = project_.options[number];
    if (option.choices.empty() && option.levels.empty()) {
      add_bit(option.name, {number, {}});
      return;
    }
    OptionGroup group{.name = option.name, .options = {}, .levels = option.levels};
    const auto names = names_of_choices(option.choices);
    for (std::size_t i = 0; i < option.choices.size(); ++i)
      add_value(group, names[i], {number, option.choices[i]}, std::nullopt);
    for (const double level : option.levels)
      add_value(group, fmt::format("{}", level), {number, fmt::format("{}", level)}, level);
    made_.space.groups.push_back(std::move(group));
  }
  std::size_t add_bit(const std::string& name, const Setting& setting) {
    const std::size_t bit = made_.space.options.size();
    made_.space.options.push_back(name);
    made_.settings.push_back(setting);
    vocabulary_.bits.emplace(name, bit);
    return bit;
  }
  void add_value(OptionGroup& group, const std::string& name, const Setting& setting,
                 std::optional<double> level) {
    const std::size_t bit = add_bit(fmt::format("{}={}", group.name, name), setting);
    group.options.push_back(bit);
    vocabulary_.values[group.name].push_back({name, level, bit});
  }
  void take(std::vector<Clause> clauses) {
    for (Clause& clause : clauses)
      made_.space.clauses.push_back(std::move(clause));
  }

  const Project& project_;
  OptionSpace made_;
  Vocabulary vocabulary_;
};

// "--cache" with 64 is "--cache=64"; braces say where else the value belongs.
std::string with_value(const std::string& text, const std::string& value) {
  if (value.empty())
    return text;
  return text.contains("{}") ? replace_all(text, "{}", value) : fmt::format("{}={}", text, value);
}

// What an option adds to the command; empty where it belongs elsewhere.
std::string flag_of(const Option& option, const std::string& value) {
  if (!option.build.empty() || !option.variable.empty() || !option.line.empty())
    return {};
  return option.flag.empty() ? value : with_value(option.flag, value);
}

// Whether a command has the words of a flag already.
bool stands_in(const std::string& command, const std::string& flag) {
  return (" " + command + " ").contains(" " + flag + " ");
}

// What all options of a configuration add.
struct Additions {
  std::vector<std::string> build;
  std::vector<std::string> flags;
  std::map<std::string, std::string> variables;
  std::map<std::string, std::vector<std::string>> lines; // by file

  void add(const Option& option, const std::string& value) {
    if (!option.build.empty())
      build.push_back(with_value(option.build, value));
    else if (!option.variable.empty())
      variables[option.variable] = value.empty() ? "1" : value;
    else if (!option.line.empty())
      lines[option.file].push_back(with_value(option.line, value));
    else
      flags.push_back(flag_of(option, value));
  }
};

std::string with_flags(const std::string& command, std::vector<std::string> flags) {
  std::erase_if(flags, [&](const std::string& flag) { return stands_in(command, flag); });
  if (command.contains(place_of_options))
    return replace_all(command, place_of_options, join(flags, " "));
  return flags.empty() ? command : command + " " + join(flags, " ");
}

// The files are there before each run, empty where no option has a line in them.
std::string writing(const Project& project, const Additions& additions) {
  std::map<std::string, std::vector<std::string>> files = additions.lines;
  for (const Option& option : project.options)
    if (!option.file.empty())
      files.try_emplace(option.file);
  std::string commands;
  for (const auto& [file, lines] : files) {
    std::string words;
    for (const std::string& line : lines)
      words += " " + shell_quoted(line);
    const std::string path = fmt::format("\"$DRAGNET_TMP\"/{}", shell_quoted(file));
    commands += fmt::format("mkdir -p \"$(dirname {0})\" && {1} >{0} && ", path,
                            words.empty() ? ":" : "printf '%s\\n'" + words);
  }
  return commands;
}

} // namespace

Result<OptionSpace> option_space(const Project& project) {
  if (project.options.empty())
    return Error{fmt::format("{} has no options, so that there is one configuration only",
                             configuration_name),
                 "write what can be switched, such as:\n[[option]]\nname = \"compress\"\nflag = "
                 "\"--compress\""};
  return Maker(project).make();
}

std::vector<Clause> written_in_command(const Project& project, const OptionSpace& options,
                                       const Benchmark& benchmark) {
  std::vector<Clause> clauses;
  for (std::size_t bit = 0; bit < options.settings.size(); ++bit) {
    const Setting& setting = options.settings[bit];
    const std::string flag = flag_of(project.options[setting.option], setting.value);
    if (!flag.empty() && stands_in(benchmark.command, flag))
      clauses.push_back({.literals = {{.option = bit, .on = true}},
                         .text = fmt::format("{} in the command of '{}'", flag, benchmark.name)});
  }
  return clauses;
}

Variant variant_of(const Project& project, const OptionSpace& options, const Benchmark& benchmark,
                   const Configuration& configuration) {
  Additions additions;
  for (std::size_t bit = 0; bit < configuration.size(); ++bit)
    if (configuration.on(bit))
      additions.add(project.options[options.settings[bit].option], options.settings[bit].value);
  Variant variant{.build_command = project.build.command, .benchmark = benchmark};
  if (!additions.build.empty())
    variant.build_command = fmt::format(
        "DRAGNET_OPTIONS={}\n{}", shell_quoted(join(additions.build, " ")), project.build.command);
  Benchmark& changed = variant.benchmark;
  changed.command = with_flags(benchmark.command, additions.flags);
  for (const auto& [name, value] : additions.variables)
    changed.environment[name] = value;
  if (const std::string commands = writing(project, additions); !commands.empty())
    changed.prepare =
        commands + (benchmark.prepare.empty() ? ":" : "{ " + benchmark.prepare + "\n}");
  if (changed.command != benchmark.command || changed.prepare != benchmark.prepare ||
      changed.environment != benchmark.environment)
    changed.name = fmt::format("{} ({})", benchmark.name, name_of(options.space, configuration));
  return variant;
}

std::string name_of(const ConfigurationSpace& space, const Configuration& configuration) {
  std::vector<std::string> on;
  for (std::size_t option = 0; option < configuration.size(); ++option)
    if (configuration.on(option))
      on.push_back(space.options[option]);
  return on.empty() ? "-" : join(on, ", ");
}

} // namespace dragnet::project
