#include "report/escape.h"

#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";
// Invisible, and breaks what a site would take for a reference.
constexpr std::string_view breaker = "&#8203;";

// A character of UTF-8: how many bytes it takes, and its code point; no bytes if it is not valid.
struct Character {
  std::size_t bytes = 0;
  std::uint32_t point = 0;
};

std::size_t length_by(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead >= 0xc2 && lead < 0xe0)
    return 2;
  if (lead >= 0xe0 && lead < 0xf0)
    return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = length_by(lead);
  if (bytes == 0 || bytes > text.size())
    return {};
  if (bytes == 1)
    return {1, lead};
  std::uint32_t point = lead & (0xffU >> (bytes + 1));
  for (const char c : text.substr(1, bytes - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) != 0x80U)
      return {};
    point = (point << 6U) | (byte & 0x3fU);
  }
  const bool overlong = (bytes == 3 && point < 0x800) || (bytes == 4 && point < 0x10000);
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  return overlong || surrogate || point > 0x10ffff ? Character{} : Character{bytes, point};
}

// Hands each character and its code point to `take`; what is not UTF-8 as the replacement.
template <class Take>
void each_character(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.bytes == 0)
      take(replacement, std::uint32_t{0xfffd});
    else
      take(text.substr(0, character.bytes), character.point);
    text.remove_prefix(std::max<std::size_t>(1, character.bytes));
  }
}

bool steers(std::uint32_t point) {
  const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  const bool line_end = point == 0x2028 || point == 0x2029;
  const bool direction = (point >= 0x202a && point <= 0x202e) ||
                         (point >= 0x2066 && point <= 0x2069) || point == 0x200e || point == 0x200f;
  return control || line_end || direction;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// What XML 1.0 allows.
bool in_xml_range(std::uint32_t point) {
  return point == '\t' || point == '\n' || point == '\r' || (point >= 0x20 && point < 0xfffe) ||
         point >= 0x10000;
}

std::string escaped_markup(char c) {
  switch (c) {
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '&':
    return "&amp;";
  default:
    break;
  }
  constexpr std::string_view punctuation = "\\`*_{}[]()#|~!$";
  return punctuation.contains(c) ? std::string("\\") + c : std::string(1, c);
}

// The character at a place of a line; written such that no address around it becomes a link.
std::string without_link(std::string_view line, std::size_t at) {
  if (line.substr(at).starts_with("://"))
    return "&#58;";
  return line[at] == '.' && at > 0 && line[at - 1] == 'w' ? "&#46;" : escaped_markup(line[at]);
}

// "@name", "#12", "!12", "~label" and the like are references on one site or another.
bool begins_reference(char c, char next) {
  return c == '@' || (std::string_view("#!~$%&").contains(c) && is_word(next));
}

// Another list might begin here.
bool begins_block(std::string_view text) {
  return text.empty() || std::string_view("-+=0123456789").contains(text.front());
}

} // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  each_character(text, [&](std::string_view character, std::uint32_t) { valid += character; });
  return valid;
}

std::string plain(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  each_character(text, [&](std::string_view character, std::uint32_t point) {
    line += steers(point) ? " " : character;
  });
  return std::string(trim(line));
}

std::string plain_source(std::string_view line) {
  constexpr std::size_t longest_line = 200;
  const std::string spaced = replace_all(std::string(line), "\t", "    ");
  const std::size_t front = spaced.find_first_not_of(' ');
  return front == std::string::npos
             ? ""
             : shortened(std::string(front, ' ') + plain(spaced), longest_line);
}

std::string shortened(std::string text, std::size_t most) {
  constexpr std::string_view dots = "...";
  if (text.size() <= most)
    return text;
  std::size_t end = most > dots.size() ? most - dots.size() : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
    --end;
  text.resize(end);
  return text + std::string(dots);
}

std::string end_of_log(std::string_view log, std::size_t most_lines) {
  constexpr std::size_t longest_line = 200;
  const std::vector<std::string> all = lines(trim(log));
  const std::size_t first = all.size() > most_lines ? all.size() - most_lines : 0;
  std::string text;
  for (std::size_t i = first; i < all.size(); ++i)
    text += shortened(plain(all[i]), longest_line) + "\n";
  return text;
}

std::string in_markdown(std::string_view text) {
  const std::string line = plain(text);
  std::string safe;
  for (std::size_t i = 0; i < line.size(); ++i) {
    safe += without_link(line, i);
    if (begins_reference(line[i], i + 1 < line.size() ? line[i + 1] : ' '))
      safe += breaker;
  }
  return safe;
}

std::string item_in_markdown(std::string_view text) {
  const std::string line = plain(text);
  return "- " + (begins_block(line) ? std::string(breaker) : "") + in_markdown(line) + "\n";
}

std::string code_in_markdown(std::string_view text) {
  const std::string line = plain(text);
  std::string safe = "<code>";
  for (std::size_t i = 0; i < line.size(); ++i)
    safe += line[i] == '@' ? "&#64;" : without_link(line, i);
  return safe + "</code>";
}

std::string in_xml(std::string_view text) {
  std::string safe;
  each_character(text, [&](std::string_view character, std::uint32_t point) {
    if (point == '"')
      safe += "&quot;";
    else if (point == '<' || point == '>' || point == '&')
      safe += escaped_markup(static_cast<char>(point));
    else if (in_xml_range(point))
      safe += character;
  });
  return safe;
}

std::string path_in_uri(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_word(c) || std::string_view("/-._~").contains(c))
      uri += c;
    else
      uri.append({'%', digits[byte >> 4U], digits[byte & 0xfU]});
  }
  return uri;
}

} // namespace dragnet::report
