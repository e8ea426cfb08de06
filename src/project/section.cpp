#include "project/section.h"

#include "base/text.h"
#include "base/units.h"
#include "project/document.h"
#include "project/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

void check_keys(const Section& section, const Node& table, std::span<const std::string> known) {
  std::map<std::string, Position> seen;
  for (const auto& entry : table.entries) {
    const std::string key = canonical(entry.key);
    if (std::ranges::find(known, key) == known.end())
      section.mistakes().add(
          entry.at, fmt::format("unknown key '{}' in {}", shown(entry.key), section.title()),
          did_you_mean(key.substr(0, 60), known));
    else if (const auto [first, is_new] = seen.emplace(key, entry.at); !is_new)
      section.wrong(entry.at, key,
                    fmt::format("is given twice, first in line {}", first->second.line),
                    "'_' and '-' mean the same in a key: keep one of the two");
  }
}

} // namespace

Section::Section(const Node& table, std::string title, std::span<const std::string> known,
                 Mistakes& mistakes)
    : table_(&table), title_(std::move(title)), mistakes_(&mistakes) {
  check_keys(*this, table, known);
}

const Entry* Section::find(std::string_view key) const {
  const auto found = std::ranges::find_if(
      table_->entries, [&](const Entry& entry) { return canonical(entry.key) == key; });
  return found == table_->entries.end() ? nullptr : &*found;
}

void Section::expect(const Node& found, std::string_view key, std::string_view expected,
                     std::string hint) const {
  wrong(found.at, key, fmt::format("must be {}, but is {}", expected, name(found.kind)),
        std::move(hint));
}

void Section::wrong(Position at, std::string_view key, std::string_view problem,
                    std::string hint) const {
  mistakes_->add(at, fmt::format("'{}' in {} {}", key, title_, problem), std::move(hint));
}

bool Section::is_sound_text(const Node& node, std::string_view key) const {
  if (node.kind != Kind::Text)
    expect(node, key, "a text");
  else if (trim(node.text).empty())
    wrong(node.at, key, "is empty", "write a value, or remove the line");
  else if (node.text.contains('\0'))
    wrong(node.at, key, "contains the character U+0000, which no command or file name can contain");
  else
    return true;
  return false;
}

std::optional<Placed<std::string>> Section::text(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr || !is_sound_text(entry->value, key))
    return std::nullopt;
  return Placed<std::string>{entry->value.text, entry->value.at};
}

std::optional<Placed<std::string>> Section::required_text(std::string_view key,
                                                          std::string_view example) const {
  if (find(key) == nullptr)
    mistakes_->add(table_->at, fmt::format("{} needs '{}'", title_, key),
                   fmt::format("add a line such as: {} = {}", key, example));
  return text(key);
}

std::optional<int> Section::whole(std::string_view key, int low, int high) const {
  const Entry* entry = find(key);
  if (entry == nullptr)
    return std::nullopt;
  if (entry->value.kind != Kind::Whole)
    expect(entry->value, key, "a whole number");
  else if (entry->value.whole < low || entry->value.whole > high)
    wrong(entry->value.at, key,
          fmt::format("is {}, but must be from {} to {}", entry->value.whole, low, high));
  else
    return static_cast<int>(entry->value.whole);
  return std::nullopt;
}

std::optional<Seconds> Section::duration(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr)
    return std::nullopt;
  const Node& value = entry->value;
  constexpr double longest = 1e9;
  if (value.kind == Kind::Whole || value.kind == Kind::Number) {
    if (value.number > 0 && value.number <= longest)
      return Seconds(value.number);
    wrong(value.at, key, "must be more than 0 seconds, and finite");
  } else if (value.kind != Kind::Text) {
    expect(value, key, "a duration such as \"5m\"");
  } else {
    const auto parsed = parse_duration(trim(value.text));
    if (parsed && parsed->count() > 0)
      return *parsed;
    wrong(value.at, key,
          fmt::format("must be a duration of more than 0, but is \"{}\"", shown(value.text)),
          R"(write it like "30s", "5m", "1h30m" or "250ms")");
  }
  return std::nullopt;
}

std::optional<std::vector<Placed<std::string>>> Section::texts(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr)
    return std::nullopt;
  if (entry->value.kind != Kind::List) {
    const bool is_text = entry->value.kind == Kind::Text;
    expect(entry->value, key, "a list of texts",
           is_text ? fmt::format("put it in brackets: {} = [\"{}\"]", key, shown(entry->value.text))
                   : "");
    return std::nullopt;
  }
  std::vector<Placed<std::string>> made;
  std::set<std::string> seen;
  for (const auto& item : entry->value.items) {
    if (!is_sound_text(item, key))
      continue;
    if (!seen.insert(item.text).second)
      wrong(item.at, key, fmt::format("has '{}' twice", shown(item.text)), "remove one of the two");
    made.push_back({item.text, item.at});
  }
  return made;
}

std::optional<std::vector<double>> Section::numbers(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr)
    return std::nullopt;
  if (entry->value.kind != Kind::List) {
    expect(entry->value, key, "a list of numbers");
    return std::nullopt;
  }
  std::vector<double> made;
  std::set<double> seen;
  for (const auto& item : entry->value.items) {
    if (item.kind != Kind::Whole && item.kind != Kind::Number)
      expect(item, key, "a list of numbers");
    else if (!std::isfinite(item.number))
      wrong(item.at, key, "must be finite");
    else if (!seen.insert(item.number).second)
      wrong(item.at, key, fmt::format("has {} twice", item.number), "remove one of the two");
    else
      made.push_back(item.number);
  }
  return made;
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string made(text.substr(0, longest));
  while (made.size() < text.size() && !made.empty() &&
         (static_cast<unsigned char>(made.back()) & 0x80U) != 0)
    made.pop_back();
  std::ranges::replace_if(made, is_control, '?');
  return made.size() < text.size() ? made + "..." : made;
}

std::string canonical(std::string_view key) {
  std::string made(key);
  std::ranges::replace(made, '_', '-');
  return made;
}

std::vector<std::string> values_of(const std::vector<Placed<std::string>>& placed) {
  std::vector<std::string> values;
  values.reserve(placed.size());
  for (const auto& one : placed)
    values.push_back(one.value);
  return values;
}

std::string problem_of_name(std::string_view name) {
  constexpr std::size_t longest = 200;
  if (name.empty())
    return "is empty";
  if (name.size() > longest)
    return fmt::format("has more than {} bytes", longest);
  if (std::ranges::any_of(name, is_control))
    return "contains a control character";
  if (name.contains('/'))
    return "contains '/', which separates a suite from its case";
  if (name.starts_with('-'))
    return "begins with '-', as only options do";
  if (trim(name) != name)
    return "begins or ends with white space";
  return {};
}

void check_variables(const Section& section, std::string_view key,
                     const std::vector<Placed<std::string>>& names) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  for (const auto& [variable, at] : names) {
    const bool begins_well =
        !variable.empty() && !std::string_view("0123456789").contains(variable.front());
    if (!begins_well || variable.find_first_not_of(letters) != std::string::npos)
      section.wrong(
          at, key, fmt::format("has '{}', which is not the name of a variable", shown(variable)),
          variable.contains('=') ? "write the name alone, without '=' and the value" : "");
    else if (variable.starts_with("DRAGNET_"))
      section.wrong(at, key,
                    fmt::format("has '{}', but names with DRAGNET_ are set by Dragnet itself",
                                shown(variable)));
  }
}

void check_paths(const Section& section, std::string_view key,
                 const std::vector<Placed<std::string>>& paths, std::string_view folder) {
  for (const auto& [text, at] : paths) {
    const auto path = std::filesystem::path(text).lexically_normal();
    if (path.is_absolute() || *path.begin() == ".." || path == ".")
      section.wrong(at, key,
                    fmt::format("has '{}', which is not a file below {}", shown(text), folder),
                    fmt::format("write the path from {}, without a '/' in front", folder));
  }
}

} // namespace dragnet::project
