#include "project/document.h"

#include "project/mistakes.h"

#include <fmt/format.h>

// NOLINTBEGIN(misc-include-cleaner): toml++ has one header for all, and its parts are not to be
// included. Some of the library's assertions fail for texts that are not TOML; the code behind them
// reports those rightly.
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace dragnet::project {
namespace {

Position position_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

Position position_of_byte(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, byte);
  const auto line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto starts_letter = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  };
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const auto column =
      static_cast<std::size_t>(std::ranges::count_if(before.substr(line_start), starts_letter));
  return {line + 1, column + 1};
}

struct LetterForm {
  unsigned first_low, first_high, second_low, second_high;
  std::size_t length;
};

// How many bytes the letter at the front has, or 0 when it is not UTF-8 (the table of RFC 3629,
// section 4).
std::size_t letter_length(std::string_view text) {
  constexpr std::array<LetterForm, 8> forms{{{0xC2, 0xDF, 0x80, 0xBF, 2},
                                             {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                             {0xE1, 0xEC, 0x80, 0xBF, 3},
                                             {0xED, 0xED, 0x80, 0x9F, 3},
                                             {0xEE, 0xEF, 0x80, 0xBF, 3},
                                             {0xF0, 0xF0, 0x90, 0xBF, 4},
                                             {0xF1, 0xF3, 0x80, 0xBF, 4},
                                             {0xF4, 0xF4, 0x80, 0x8F, 4}}};
  const auto in = [&](std::size_t i, unsigned low, unsigned high) {
    const auto byte = static_cast<unsigned char>(text[i]);
    return byte >= low && byte <= high;
  };
  if (in(0, 0, 0x7F))
    return 1;
  const auto fits = [&](const LetterForm& form) {
    return text.size() >= form.length && in(0, form.first_low, form.first_high) &&
           in(1, form.second_low, form.second_high) && (form.length < 3 || in(2, 0x80, 0xBF)) &&
           (form.length < 4 || in(3, 0x80, 0xBF));
  };
  const auto* const form = std::ranges::find_if(forms, fits);
  return form == forms.end() ? 0 : form->length;
}

// The library comes to code that is declared unreachable for many letters beyond ASCII
// (version 3.3, is_non_ascii_horizontal_whitespace). Beyond U+FFFF it does not, so that it sees
// each letter below as one of plane 15, which is for private use: U+00E4 as U+F00E4. Lines and
// columns stay as they are.
std::string hidden(std::string_view letter) {
  const auto bits = [&](std::size_t i, unsigned mask) {
    return static_cast<unsigned char>(letter[i]) & mask;
  };
  const unsigned number = letter.size() == 2
                              ? bits(0, 0x1FU) << 6U | bits(1, 0x3FU)
                              : bits(0, 0x0FU) << 12U | bits(1, 0x3FU) << 6U | bits(2, 0x3FU);
  return {'\xF3', static_cast<char>(0xB0U | number >> 12U),
          static_cast<char>(0x80U | (number >> 6U & 0x3FU)),
          static_cast<char>(0x80U | (number & 0x3FU))};
}

bool is_hidden(std::string_view letter) {
  return letter.size() == 4 && letter[0] == '\xF3' && static_cast<unsigned char>(letter[1]) >= 0xB0;
}

// The letters as they were written, again in UTF-8.
std::string shown_again(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = text.substr(at, std::max<std::size_t>(letter_length(text.substr(at)), 1));
    at += letter.size();
    if (!is_hidden(letter)) {
      made += letter;
      continue;
    }
    const unsigned number = (static_cast<unsigned char>(letter[1]) & 0x0FU) << 12U |
                            (static_cast<unsigned char>(letter[2]) & 0x3FU) << 6U |
                            (static_cast<unsigned char>(letter[3]) & 0x3FU);
    if (number >= 0x800)
      made += {static_cast<char>(0xE0U | number >> 12U),
               static_cast<char>(0x80U | (number >> 6U & 0x3FU))};
    else
      made += static_cast<char>(0xC0U | number >> 6U);
    made += static_cast<char>(0x80U | (number & 0x3FU));
  }
  return made;
}

// The text for the library, or nothing when it is not UTF-8, or uses plane 15 itself.
std::optional<std::string> prepared(std::string_view text, Mistakes& mistakes) {
  std::string made;
  made.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = text.substr(at, letter_length(text.substr(at)));
    if (letter.empty())
      mistakes.add(
          position_of_byte(text, at),
          fmt::format("the byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(text[at])),
          "save the file in the encoding UTF-8");
    else if (is_hidden(letter))
      mistakes.add(position_of_byte(text, at), "a letter for private use, beyond U+F0000");
    if (letter.empty() || is_hidden(letter))
      return std::nullopt;
    made += letter.size() == 2 || letter.size() == 3 ? hidden(letter) : std::string(letter);
    at += letter.size();
  }
  return made;
}

// Where the string that begins at a quote ends. An unfinished one ends with its line, or with the
// text.
std::size_t end_of_string(std::string_view text, std::size_t start) {
  const char quote = text[start];
  const std::string triple(3, quote);
  const bool is_long = text.substr(start).starts_with(triple);
  for (std::size_t at = start + (is_long ? 3 : 1); at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"')
      ++at;
    else if (text[at] == '\n' && !is_long)
      return at;
    else if (is_long && text.substr(at).starts_with(triple))
      return at + 3;
    else if (!is_long && text[at] == quote)
      return at + 1;
  }
  return text.size();
}

// The library builds one table per part of a dotted key and destroys them by recursion, so that a
// long enough key would overflow the stack. Nested lists and inline tables it limits itself.
bool check_depth(std::string_view text, Mistakes& mistakes) {
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '.' && ++dots >= most_key_parts) {
      mistakes.add(position_of_byte(text, at),
                   fmt::format("a key of more than {} parts", most_key_parts));
      return false;
    }
    if (std::string_view("=,[]{}\n").contains(c))
      dots = 0;
    if (c == '"' || c == '\'')
      at = end_of_string(text, at);
    else
      at = c == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
  }
  return true;
}

std::string hint_for(std::string_view problem) {
  if (problem.contains("could not determine value type"))
    return "text stands in double quotes";
  if (problem.contains("cannot redefine existing array"))
    return "a section that may occur several times stands in two brackets each time: [[benchmark]]";
  if (problem.contains("cannot redefine"))
    return "each key and each section may occur once";
  if (problem.contains("unescaped control characters"))
    return "a text in quotes ends on its line; a longer one stands in three double quotes";
  return {};
}

void note(const toml::parse_error& error, Mistakes& mistakes) {
  std::string_view problem = error.description();
  constexpr std::string_view front = "Error while parsing ";
  if (problem.starts_with(front))
    problem.remove_prefix(front.size());
  mistakes.add(position_of(error.source()), "not TOML: " + shown_again(problem), hint_for(problem));
}

Node converted(const toml::node& node);

void fill(Node& made, const toml::table& table) {
  for (auto&& [key, value] : table)
    made.entries.push_back({shown_again(key.str()), position_of(key.source()), converted(value)});
  std::ranges::sort(made.entries, {}, &Entry::at);
}

Node converted(const toml::node& node) {
  Node made{
      .at = position_of(node.source()), .kind = Kind::Time, .text = {}, .items = {}, .entries = {}};
  if (const auto* table = node.as_table()) {
    made.kind = Kind::Table;
    fill(made, *table);
  } else if (const auto* list = node.as_array()) {
    made.kind = Kind::List;
    for (const auto& item : *list)
      made.items.push_back(converted(item));
  } else if (const auto* text = node.as_string()) {
    made.kind = Kind::Text;
    made.text = shown_again(text->get());
  } else if (const auto* whole = node.as_integer()) {
    made.kind = Kind::Whole;
    made.whole = whole->get();
    made.number = static_cast<double>(made.whole);
  } else if (const auto* number = node.as_floating_point()) {
    made.kind = Kind::Number;
    made.number = number->get();
  } else if (node.is_boolean()) {
    made.kind = Kind::Truth;
  }
  return made;
}

} // namespace

std::string_view name(Kind kind) {
  constexpr std::array<std::string_view, 7> names{"a text",        "a whole number", "a number",
                                                  "a truth value", "a date or time", "a list",
                                                  "a table"};
  return names.at(static_cast<std::size_t>(kind));
}

std::optional<Node> parse_document(std::string_view text, Mistakes& mistakes) {
  if (text.size() > largest_text) {
    mistakes.add({}, fmt::format("the file has {} bytes; more than {} are not read", text.size(),
                                 largest_text));
    return std::nullopt;
  }
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  const auto plain = prepared(text, mistakes);
  if (!plain || !check_depth(*plain, mistakes))
    return std::nullopt;
  try {
    return converted(toml::parse(std::string_view(*plain)));
  } catch (const toml::parse_error& error) {
    note(error, mistakes);
  } catch (const std::exception& error) {
    mistakes.add({}, fmt::format("not TOML: {}", error.what()));
  }
  return std::nullopt;
}

} // namespace dragnet::project
// NOLINTEND(misc-include-cleaner)
