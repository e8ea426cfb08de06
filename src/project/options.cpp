#include "project/options.h"

#include "project/document.h"
#include "project/mistakes.h"
#include "project/project.h"
#include "project/section.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace {

constexpr std::string_view name_letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";

void read_name(const Section& section, Option& option) {
  const auto name = section.required_text("name", "\"compress\"");
  if (!name)
    return;
  option.name = name->value;
  const bool begins_well = !std::string_view("0123456789-.").contains(name->value.front());
  if (!begins_well || name->value.find_first_not_of(name_letters) != std::string::npos ||
      name->value.size() > 200)
    section.wrong(name->at, "name",
                  "must be a letter or '_', followed by letters, digits, '_', '-' and '.'",
                  "clauses use the name, so that it must be one word");
}

std::string text_or_empty(const Section& section, std::string_view key) {
  const auto text = section.text(key);
  return text ? text->value : std::string();
}

void read_line(const Section& section, Option& option) {
  option.line = text_or_empty(section, "line");
  const auto file = section.text("file");
  if (file) {
    check_paths(section, "file", {*file}, "$DRAGNET_TMP");
    option.file = file->value;
  }
  if (!option.line.empty() && option.file.empty())
    section.mistakes().add(section.at(), "[[option]] has a 'line', but no 'file' that it stands in",
                           "add a line such as: file = \"options.conf\"");
  if (option.line.empty() && file)
    section.wrong(file->at, "file", "has no meaning without 'line'");
}

void read_setting(const Section& section, Option& option) {
  int ways = 0;
  for (const std::string_view way : {"flag", "build", "variable", "line"})
    ways += section.find(way) == nullptr ? 0 : 1;
  // Choices alone are whole flags.
  const bool chosen = ways == 0 && section.find("choices") != nullptr;
  if (ways != 1 && !chosen)
    section.mistakes().add(
        section.at(),
        fmt::format("[[option]] needs exactly one of 'flag', 'build', 'variable', 'line' "
                    "and 'choices', but has {}",
                    ways),
        "add a line such as: flag = \"--compress\"");
  option.flag = text_or_empty(section, "flag");
  option.build = text_or_empty(section, "build");
  option.variable = text_or_empty(section, "variable");
  read_line(section, option);
  if (!option.variable.empty())
    check_variables(section, "variable", {{option.variable, section.find("variable")->value.at}});
}

void check_count(const Section& section, std::string_view key, std::size_t count) {
  if (count < 2)
    section.wrong(section.find(key)->value.at, key, "must have at least two values");
}

void read_values(const Section& section, Option& option) {
  const auto choices = section.texts("choices");
  const auto levels = section.numbers("levels");
  if (section.find("choices") != nullptr && section.find("levels") != nullptr)
    section.wrong(section.find("levels")->at, "levels", "cannot stand beside 'choices'",
                  "keep 'levels' for numbers, 'choices' for all else");
  if (choices) {
    check_count(section, "choices", choices->size());
    option.choices = values_of(*choices);
  }
  if (levels) {
    check_count(section, "levels", levels->size());
    option.levels = *levels;
  }
}

Feed read_feed(const Section& section) {
  const auto feed = section.text("feed");
  if (!feed || feed->value == "input")
    return Feed::Input;
  if (feed->value == "http")
    return Feed::Http;
  if (feed->value != "file" && feed->value != "arguments")
    section.wrong(feed->at, "feed", "is not a way to give inputs",
                  R"(write "input", "file", "arguments" or "http")");
  return feed->value == "arguments" ? Feed::Arguments : Feed::File;
}

Serving read_serving(const Section& section, Feed feed) {
  for (const auto* key : {"port", "ready", "users", "think", "login"})
    if (const auto* entry = section.find(key); entry != nullptr && feed != Feed::Http)
      section.wrong(entry->value.at, key, "is for servers", R"(write feed = "http" too)");
  Serving serving;
  serving.port = section.whole("port", 1, 65535).value_or(0);
  if (const auto ready = section.text("ready")) {
    serving.ready = ready->value;
    if (!serving.ready.starts_with('/'))
      section.wrong(ready->at, "ready", "is not a path of the server",
                    R"(write ready = "/health")");
  }
  serving.users = section.whole("users", 1, 1000).value_or(1);
  serving.think = section.duration("think").value_or(Seconds(0));
  if (const auto login = section.texts("login"))
    serving.login = values_of(*login);
  return serving;
}

} // namespace

std::vector<Option> read_options(const Node& list, Mistakes& mistakes) {
  const std::array<std::string, 8> known{"name", "flag", "build",   "variable",
                                         "line", "file", "choices", "levels"};
  std::vector<Option> options;
  std::map<std::string, Position> seen;
  for (const auto& table : list.items) {
    const Section section(table, "[[option]]", known, mistakes);
    Option option;
    read_name(section, option);
    read_setting(section, option);
    read_values(section, option);
    const Entry* given = section.find("name");
    const Position at = given == nullptr ? section.at() : given->value.at;
    if (const auto [first, is_new] = seen.emplace(option.name, at); !is_new && !option.name.empty())
      mistakes.add(at,
                   fmt::format("the option '{}' is defined twice, first in line {}", option.name,
                               first->second.line),
                   "give one of them another name");
    options.push_back(std::move(option));
  }
  return options;
}

void read_constraints(const Node& table, Project& project, Mistakes& mistakes) {
  const std::array<std::string, 2> known{"clauses", "dimacs"};
  const Section section(table, "[constraints]", known, mistakes);
  if (const auto clauses = section.texts("clauses"))
    for (const auto& clause : *clauses)
      project.clauses.push_back({clause.value, clause.at.line});
  if (const auto dimacs = section.text("dimacs")) {
    check_paths(section, "dimacs", {*dimacs}, "the root");
    project.dimacs = dimacs->value;
  }
}

std::optional<Provoke> read_provoke(const Node& table, Mistakes& mistakes) {
  const std::array<std::string, 9> known{"genes", "command", "feed",  "timeout", "port",
                                         "ready", "users",   "think", "login"};
  const Section section(table, "[provoke]", known, mistakes);
  const auto genes = section.required_text("genes", "\"bench/statements.sql\"");
  const auto command = section.required_text("command", "\"$DRAGNET_BUILD/program\"");
  if (!genes || !command)
    return std::nullopt;
  check_paths(section, "genes", {*genes}, "the root");
  Provoke provoke{genes->value, command->value};
  provoke.feed = read_feed(section);
  provoke.limit = section.duration("timeout").value_or(provoke.limit);
  provoke.serving = read_serving(section, provoke.feed);
  return provoke;
}

std::string read_boundary(const Node& table, Mistakes& mistakes) {
  const std::array<std::string, 1> known{"boundary"};
  const Section section(table, "[blame]", known, mistakes);
  const auto boundary = section.text("boundary");
  return boundary ? boundary->value : std::string();
}

} // namespace dragnet::project
