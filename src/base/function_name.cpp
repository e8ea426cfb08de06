#include "base/function_name.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>
#include <string_view>

namespace dragnet {
namespace {

constexpr std::size_t longest = 80;

// The text without what stands in these brackets, at any depth.
std::string without(std::string_view text, char open, char close) {
  std::string rest;
  int depth = 0;
  for (const char letter : text) {
    depth += letter == open ? 1 : 0;
    if (depth == 0)
      rest += letter;
    depth -= letter == close && depth > 0 ? 1 : 0;
  }
  return rest;
}

// The last word: what stands before it is the type that the function returns.
std::string last_word(std::string text) {
  if (text.ends_with(" const"))
    text.resize(text.size() - 6);
  const std::size_t blank = text.rfind(' ');
  return blank == std::string::npos || text.contains("operator") ? text : text.substr(blank + 1);
}

// Where the function begins that a lambda is in: "lambda 2 in _Z1fv"; 0: it is none.
std::size_t owner_in(const std::string& name) {
  const std::size_t at = name.starts_with("lambda ") ? name.find(" in ") : std::string::npos;
  return at == std::string::npos ? 0 : at + 4;
}

} // namespace

std::string demangled(const std::string& name) {
  if (const std::size_t owner = owner_in(name); owner > 0)
    return name.substr(0, owner) + demangled(name.substr(owner));
  // What tells copies and namesakes apart is no part of the mangled name.
  const std::size_t end = std::min(name.find_first_of("@#."), name.size());
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.substr(0, end).c_str(), nullptr, nullptr, &status), std::free);
  if (!name.starts_with("_Z") || status != 0)
    return name;
  return text.get() + name.substr(end);
}

std::string short_name(const std::string& name) {
  if (const std::size_t owner = owner_in(name); owner > 0)
    return name.substr(0, owner) + short_name(name.substr(owner));
  std::string text = demangled(name);
  if (text == name)
    return name;
  for (const std::string_view words : {"(anonymous namespace)", "std::__cxx11::"})
    for (std::size_t at = 0; (at = text.find(words)) != std::string::npos;)
      text.replace(at, words.size(), words.starts_with('(') ? "{anonymous}" : "std::");
  if (!text.contains("operator"))
    text = last_word(without(without(text, '<', '>'), '(', ')'));
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

} // namespace dragnet
