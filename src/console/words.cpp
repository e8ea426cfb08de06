#include "console/words.h"

#include "base/ensure.h"
#include "base/result.h"
#include "base/units.h"
#include "console/command.h"
#include "console/describe.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::console {
namespace {

const Option* find_option(const std::vector<Option>& options, std::string_view key) {
  const auto found =
      std::ranges::find_if(options, [key](const Option& option) { return key_of(option) == key; });
  return found == options.end() ? nullptr : &*found;
}

/// How many of `count` words fall to each argument: what each must have first, then what it can
/// take.
std::vector<std::size_t> dealt(const std::vector<Argument>& arguments, std::size_t count) {
  std::vector<std::size_t> shares;
  for (const auto& argument : arguments) {
    shares.push_back(std::min(argument.least, count));
    count -= shares.back();
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t more = std::min(arguments[i].most - shares[i], count);
    shares[i] += more;
    count -= more;
  }
  return shares;
}

template <class Number>
bool read_whole(std::string_view text, Number& number) {
  const char* const begin = text.data();
  const auto [stop, problem] = std::from_chars(begin, begin + text.size(), number);
  return problem == std::errc{} && stop == begin + text.size();
}

std::string bounds(long least, long most) {
  if (most != std::numeric_limits<long>::max())
    return fmt::format(" from {} to {}", least, most);
  return fmt::format(", {} or more", least);
}

} // namespace

Words::Words(const Command& command, Given given) : command_(&command), given_(std::move(given)) {}

const Option& Words::described(std::string_view name) const {
  const Option* option = command_ == nullptr ? nullptr : find_option(command_->options, name);
  if (option == nullptr)
    option = find_option(common_options(), name);
  ensure(option != nullptr, "a command asks only for options that it describes");
  return *option;
}

bool Words::has(std::string_view name) const {
  const std::string& key = key_of(described(name));
  return std::ranges::any_of(given_.options, [&](const auto& entry) { return entry.first == key; });
}

std::string Words::value(std::string_view name) const {
  const auto all = values(name);
  return all.empty() ? std::string{} : all.back();
}

std::vector<std::string> Words::values(std::string_view name) const {
  const Option& option = described(name);
  std::vector<std::string> found;
  for (const auto& [key, given] : given_.options)
    if (key == key_of(option))
      found.push_back(given);
  if (found.empty() && !option.standard.empty())
    found.push_back(option.standard);
  return found;
}

std::vector<std::string> Words::arguments(std::string_view name) const {
  ensure(command_ != nullptr, "only a command has arguments");
  const auto shares = dealt(command_->arguments, given_.arguments.size());
  auto from = given_.arguments.begin();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto to = from + static_cast<std::ptrdiff_t>(shares[i]);
    if (command_->arguments[i].name == name)
      return {from, to};
    from = to;
  }
  ensure(false, "a command asks only for arguments that it describes");
  return {};
}

std::string Words::argument(std::string_view name, std::string_view otherwise) const {
  const auto all = arguments(name);
  return all.empty() ? std::string(otherwise) : all.front();
}

Result<long> Words::number(std::string_view name, long least, long most) const {
  const std::string text = value(name);
  long number = 0;
  if (!read_whole(text, number) || number < least || number > most)
    return misuse(fmt::format("option '{}' needs a whole number{}, not '{}'",
                              spelling_of(described(name)), bounds(least, most), text));
  return number;
}

Result<double> Words::share(std::string_view name) const {
  const std::string text = value(name);
  const bool percent = text.ends_with('%');
  double number = 0;
  const bool read =
      read_whole(std::string_view(text).substr(0, text.size() - (percent ? 1 : 0)), number);
  if (percent)
    number /= 100;
  if (!read || std::isnan(number) || number < 0 || number > 1)
    return misuse(fmt::format("option '{}' needs a share from 0 to 1, not '{}'",
                              spelling_of(described(name)), text),
                  "write it like 0.05 or 5%");
  return number;
}

Result<Seconds> Words::duration(std::string_view name) const {
  const std::string text = value(name);
  auto parsed = parse_duration(text);
  if (parsed)
    return *parsed;
  return misuse(
      fmt::format("option '{}' needs a duration, not '{}'", spelling_of(described(name)), text),
      parsed.error().hint);
}

Error Words::misuse(const std::string& what, const std::string& hint) const {
  return usage_error(command_ == nullptr ? std::string_view{} : command_->name, what, hint);
}

} // namespace dragnet::console
