#include "console/parse.h"

#include "base/result.h"
#include "base/text.h"
#include "console/command.h"
#include "console/describe.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::console {
namespace {

/// Whether a word looks like an option and so cannot be another one's value; a negative number can.
bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-' && word.find_first_of("0123456789.") != 1;
}

std::string choice_hint(const std::vector<std::string>& choices) {
  return fmt::format("choose one of: {}", join(choices, ", "));
}

class Parser {
public:
  Parser(const std::vector<std::string>& words, const std::vector<Command>& commands)
      : words_(words), commands_(commands) {}

  Result<CommandLine> parse() {
    while (at_ < words_.size())
      TRY(take(words_[at_++]));
    const Request request = requested();
    Words words = command_ == nullptr ? Words() : Words(*command_, given_);
    if (command_ != nullptr && request == Request::Act) {
      TRY(check_count());
      TRY(check_arguments(words));
    }
    return CommandLine{.command = command_, .words = std::move(words), .request = request};
  }

private:
  Result<> take(const std::string& word) {
    const bool option = !options_ended_ && word.size() > 1 && word.front() == '-';
    if (!option)
      return take_argument(word);
    if (word == "--") {
      options_ended_ = true;
      return success();
    }
    return word.starts_with("--") ? take_long(word) : take_letters(word);
  }

  Result<> take_argument(const std::string& word) {
    if (command_ != nullptr) {
      given_.arguments.push_back(word);
      return success();
    }
    command_ = find_command(commands_, word);
    if (command_ != nullptr)
      return success();
    return wrong(fmt::format("unknown command '{}'", word), command_hint(word, commands_));
  }

  Result<> take_long(const std::string& word) {
    const auto equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Option* option = find([&](const Option& known) {
      return !name.empty() && (known.name == name || known.also == name);
    });
    if (option == nullptr)
      return unknown_option(name);
    if (equals == std::string::npos)
      return take_option(*option, std::nullopt);
    if (option->value.empty())
      return wrong(fmt::format("option '--{}' takes no value", name));
    return take_option(*option, word.substr(equals + 1));
  }

  /// "-v", "-n5", and flags in one word as in "-vh".
  Result<> take_letters(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string letter = word.substr(i, 1);
      const Option* option = find([&](const Option& known) { return known.letter == letter; });
      if (option == nullptr)
        return wrong(fmt::format("unknown option '-{}'", letter), misplaced_hint(letter));
      if (!option->value.empty())
        return take_option(*option,
                           i + 1 < word.size() ? std::optional(word.substr(i + 1)) : std::nullopt);
      TRY(take_option(*option, std::nullopt));
    }
    return success();
  }

  Result<> take_option(const Option& option, std::optional<std::string> value) {
    if (option.value.empty()) {
      given_.options.emplace_back(key_of(option), "");
      return success();
    }
    if (!value) {
      if (at_ == words_.size() || looks_like_option(words_[at_]))
        return missing_value(option);
      value = words_[at_++];
    }
    if (!option.choices.empty() &&
        std::ranges::find(option.choices, *value) == option.choices.end())
      return wrong(fmt::format("option '{}' cannot be '{}'", spelling_of(option), *value),
                   choice_hint(option.choices));
    given_.options.emplace_back(key_of(option), std::move(*value));
    return success();
  }

  Result<> missing_value(const Option& option) {
    std::string hint;
    if (at_ < words_.size() && !words_[at_].starts_with("--") && !option.name.empty())
      hint = fmt::format("a value that begins with a dash is written --{}={}", option.name,
                         words_[at_]);
    return wrong(fmt::format("option '{}' needs a value: {}", spelling_of(option), option.value),
                 hint);
  }

  Result<> unknown_option(const std::string& name) {
    std::vector<std::string> known;
    for (const Option* option : known_options())
      known.push_back(option->name);
    const std::string meant = nearest(name, known);
    return wrong(fmt::format("unknown option '--{}'", name),
                 meant.empty() ? misplaced_hint(name) : fmt::format("did you mean '--{}'?", meant));
  }

  /// What to do about a command's option that stands before the command.
  std::string misplaced_hint(const std::string& name) const {
    const auto has_it = [&](const Command& command) {
      return !command.hidden && std::ranges::any_of(command.options, [&](const Option& option) {
        return option.name == name || option.letter == name;
      });
    };
    const bool misplaced = command_ == nullptr && std::ranges::any_of(commands_, has_it);
    return misplaced ? "options of a command stand after it" : "";
  }

  Result<> check_count() {
    std::size_t least = 0;
    std::size_t most = 0;
    for (const auto& argument : command_->arguments) {
      least += argument.least;
      if (given_.arguments.size() < least)
        return wrong(fmt::format("argument {} is missing", argument.name));
      most = argument.most == any_number || most == any_number ? any_number : most + argument.most;
    }
    if (given_.arguments.size() > most)
      return wrong(most == 0
                       ? fmt::format("it takes no arguments, but got '{}'", given_.arguments[0])
                       : fmt::format("one argument too many: '{}'", given_.arguments[most]));
    return success();
  }

  Result<> check_arguments(const Words& words) {
    for (const auto& argument : command_->arguments)
      for (const auto& word : words.arguments(argument.name))
        if (!argument.choices.empty() &&
            std::ranges::find(argument.choices, word) == argument.choices.end())
          return wrong(fmt::format("{} cannot be '{}'", argument.name, word),
                       choice_hint(argument.choices));
    return success();
  }

  Request requested() const {
    const auto given = [&](std::string_view name) {
      return std::ranges::any_of(given_.options,
                                 [&](const auto& entry) { return entry.first == name; });
    };
    if (given(version_option().name))
      return Request::Version;
    return given("help") ? Request::Help : Request::Act;
  }

  /// The options that may stand here: the command's own first.
  std::vector<const Option*> known_options() const {
    std::vector<const Option*> known;
    if (command_ != nullptr)
      for (const auto& option : command_->options)
        known.push_back(&option);
    for (const auto& option : common_options())
      known.push_back(&option);
    if (command_ == nullptr)
      known.push_back(&version_option());
    return known;
  }

  template <class Condition>
  const Option* find(Condition condition) const {
    const auto known = known_options();
    const auto found =
        std::ranges::find_if(known, [&](const Option* option) { return condition(*option); });
    return found == known.end() ? nullptr : *found;
  }

  Error wrong(const std::string& what, const std::string& hint = {}) const {
    return usage_error(command_ == nullptr ? std::string_view{} : command_->name, what, hint);
  }

  const std::vector<std::string>& words_;
  const std::vector<Command>& commands_;
  const Command* command_ = nullptr;
  Given given_;
  std::size_t at_ = 0;
  bool options_ended_ = false;
};

} // namespace

Result<CommandLine> parse(const std::vector<std::string>& words,
                          const std::vector<Command>& commands) {
  return Parser(words, commands).parse();
}

} // namespace dragnet::console
