// A table of the configuration with its known keys: hands out typed values and notes what does not
// fit. A wrong value is never replaced by a default; it makes the whole configuration an Error.
#pragma once

#include "base/units.h"
#include "project/document.h"
#include "project/mistakes.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::project {

/// A value and where it stands.
template <class T>
struct Placed {
  T value;
  Position at;
};

class Section {
public:
  /// Notes every key of the table that is not known; '_' counts as '-'.
  Section(const Node& table, std::string title, std::span<const std::string> known,
          Mistakes& mistakes);

  const std::string& title() const { return title_; }
  Position at() const { return table_->at; }
  Mistakes& mistakes() const { return *mistakes_; }

  /// The entry of a key, or nothing when it is absent.
  const Entry* find(std::string_view key) const;

  /// A text that is neither empty nor white space; nothing when it is absent or wrong.
  std::optional<Placed<std::string>> text(std::string_view key) const;

  /// The same, and it is a mistake when it is absent.
  std::optional<Placed<std::string>> required_text(std::string_view key,
                                                   std::string_view example) const;

  /// A whole number between two bounds, both included.
  std::optional<int> whole(std::string_view key, int low, int high) const;

  /// A duration of more than 0: a text such as "5m", or a number of seconds.
  std::optional<Seconds> duration(std::string_view key) const;

  /// A list of texts, each different.
  std::optional<std::vector<Placed<std::string>>> texts(std::string_view key) const;

  /// A list of finite numbers, each different.
  std::optional<std::vector<double>> numbers(std::string_view key) const;

  /// Notes that a value has the wrong type.
  void expect(const Node& found, std::string_view key, std::string_view expected,
              std::string hint = {}) const;

  /// Notes that something is wrong with a value: "'key' in [section] <problem>".
  void wrong(Position at, std::string_view key, std::string_view problem,
             std::string hint = {}) const;

private:
  bool is_sound_text(const Node& node, std::string_view key) const;

  const Node* table_;
  std::string title_;
  Mistakes* mistakes_;
};

/// A text of the user as it stands in messages: cut when it is long, and without control
/// characters.
std::string shown(std::string_view text);

/// The key with '-' in place of '_', as it is documented.
std::string canonical(std::string_view key);

/// Only the values of a list.
std::vector<std::string> values_of(const std::vector<Placed<std::string>>& placed);

/// Why a text cannot be the name of a benchmark, or an empty text when it can.
std::string problem_of_name(std::string_view name);

/// Notes each text that is not the name of an environment variable of the user.
void check_variables(const Section& section, std::string_view key,
                     const std::vector<Placed<std::string>>& names);

/// Notes each text that is not a file below a folder ("the root").
void check_paths(const Section& section, std::string_view key,
                 const std::vector<Placed<std::string>>& paths, std::string_view folder);

} // namespace dragnet::project
