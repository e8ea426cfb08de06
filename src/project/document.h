// A TOML text as a tree that remembers where each thing stands, in the order of the file. It exists
// so that the TOML library, which is heavy to compile, stays behind one source, and so that every
// mistake can name its line and column.
#pragma once

#include "project/mistakes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::project {

enum class Kind { Text, Whole, Number, Truth, Time, List, Table };

struct Entry;

/// A value of the document; only the members of its kind are filled.
struct Node {
  Position at;
  Kind kind = Kind::Table;
  std::string text;
  std::int64_t whole = 0;
  double number = 0; ///< also filled for Whole
  std::vector<Node> items;
  std::vector<Entry> entries; ///< in the order of the file
};

/// A key and its value in a table.
struct Entry {
  std::string key;
  Position at;
  Node value;
};

/// The kind as users say it, with its article: "a text", "a whole number".
std::string_view name(Kind kind);

/// The largest text that is read, and how many parts a dotted key may have: far beyond any honest
/// configuration.
constexpr std::size_t largest_text = std::size_t{1} << 20U;
constexpr std::size_t most_key_parts = 9;

/// The tree of a TOML text, or nothing when it is not TOML; then the mistake has been noted.
std::optional<Node> parse_document(std::string_view text, Mistakes& mistakes);

} // namespace dragnet::project
