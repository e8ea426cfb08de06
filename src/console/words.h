// The words of a command line, by the names that the command's description gives them.
#pragma once

#include "base/result.h"
#include "base/units.h"

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::console {

struct Command;
struct Option;

/// Options and arguments as they were typed: each option under its name, in order.
struct Given {
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::string> arguments;
};

/// The parsed command line of one command. Asking for a name that its description lacks breaks an
/// invariant.
class Words {
public:
  Words() = default;
  Words(const Command& command, Given given);

  /// Whether the option was given.
  bool has(std::string_view name) const;
  /// The option's last given value, or its default.
  std::string value(std::string_view name) const;
  /// All given values of an option in their order, or its default alone if it has one.
  std::vector<std::string> values(std::string_view name) const;
  /// The words that fell to this argument.
  std::vector<std::string> arguments(std::string_view name) const;
  /// The first word that fell to this argument, or `otherwise`.
  std::string argument(std::string_view name, std::string_view otherwise = {}) const;

  /// The option's value as a whole number between two bounds.
  Result<long> number(std::string_view name, long least = 0,
                      long most = std::numeric_limits<long>::max()) const;
  /// The option's value as a share of one: "5%" and "0.05" are both 0.05. Outside 0 to 1 is an
  /// Error.
  Result<double> share(std::string_view name) const;
  /// The option's value as a duration ("90s", "5m").
  Result<Seconds> duration(std::string_view name) const;
  /// An Error about how the command was called, with where to read more.
  Error misuse(const std::string& what, const std::string& hint = {}) const;

private:
  const Option& described(std::string_view name) const;
  const Command* command_ = nullptr;
  Given given_;
};

} // namespace dragnet::console
