#include "formats/documents.h"

#include "base/json.h"
#include "base/result.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace dragnet::formats {
namespace {

std::size_t end_of_string(std::string_view text, std::size_t start) {
  for (std::size_t at = start + 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return text.size();
}

// The length of a number at a place that JSON does not know, or 0.
std::size_t special_number(std::string_view text) {
  for (const std::string_view word : {"-Infinity", "Infinity", "-NaN", "NaN"})
    if (text.starts_with(word))
      return word.size();
  return 0;
}

// Replaces them outside of strings by null; blanks keep the lines and most columns where they were.
std::string without_special_numbers(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const std::size_t end = end_of_string(text, at);
      made += text.substr(at, end - at);
      at = end;
    } else if (const std::size_t length = special_number(text.substr(at)); length > 0) {
      made += "null" + std::string(length > 4 ? length - 4 : 0, ' ');
      at += length;
    } else {
      made += text[at++];
    }
  }
  return made;
}

} // namespace

Result<Json> parse_document(std::string_view text) {
  auto plain = parse_json(text);
  if (plain)
    return plain;
  auto mended = parse_json(without_special_numbers(text));
  return mended ? std::move(mended) : std::move(plain);
}

const Json& member(const Json& object, const std::string& key) {
  static const Json nothing;
  if (!object.is_object())
    return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

Result<const Json*> list_in(const Json& document, const std::string& key) {
  const Json& list = member(document, key);
  if (!list.is_array())
    return Error{fmt::format("'{}' must be a list, but is {}", key, kind_of(list)), {}};
  return &list;
}

Result<std::string> text_in(const Json& object, const std::string& key, const std::string& where) {
  const Json& text = member(object, key);
  if (!text.is_string())
    return Error{fmt::format("'{}' of {} must be a text, but is {}", key, where, kind_of(text)),
                 {}};
  return text.get<std::string>();
}

std::optional<double> finite(const Json& value) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    return std::nullopt;
  return value.get<double>();
}

std::string_view kind_of(const Json& value) {
  if (value.is_null())
    return "nothing";
  if (value.is_boolean())
    return "a truth value";
  if (value.is_number())
    return "a number";
  if (value.is_string())
    return "a text";
  return value.is_array() ? "a list" : "an object";
}

} // namespace dragnet::formats
