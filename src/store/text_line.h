// A line of a kept text, taken apart word by word from the left.
#pragma once

#include "base/result.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <system_error>

namespace dragnet::store {

class TextLine {
public:
  explicit TextLine(std::string_view text) : rest_(text) {}

  std::string_view word() {
    const std::size_t end = rest_.find(' ');
    const std::string_view found = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
    return found;
  }

  std::uint64_t number() {
    const std::string_view text = word();
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || text.empty())
      wrong_ = true;
    return value;
  }

  /// A number below a limit, as an index is.
  std::size_t number_below(std::size_t limit) {
    const std::uint64_t value = number();
    wrong_ = wrong_ || value >= limit;
    return static_cast<std::size_t>(value);
  }

  std::string_view rest() const { return rest_; }
  bool wrong() const { return wrong_; }

private:
  std::string_view rest_;
  bool wrong_ = false;
};

/// Gives the lines of a text behind its first, which says what it is, to `take`; an Error says
/// which one is not as it should be.
template <class Take>
Result<> read_lines(std::string_view text, std::string_view first_line, std::string_view what,
                    Take take) {
  for (std::size_t number = 1; number == 1 || !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (number == 1 ? line != first_line : !take(TextLine(line)))
      return Error{fmt::format("line {} of {} cannot be read: '{}'", number, what, line),
                   "delete .dragnet/store.sqlite to begin anew"};
  }
  return success();
}

} // namespace dragnet::store
