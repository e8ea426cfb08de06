#include "base/json.h"
#include "base/result.h"

#include <cstddef>
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace dragnet {
namespace {

constexpr int deepest_nesting = 200;

Error located(std::string_view text, std::size_t byte, std::string_view what) {
  const auto before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto column = before.size() -
                      (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) +
                      1;
  return Error{fmt::format("line {}, column {}: {}", line, column, what), {}};
}

} // namespace

Result<Json> parse_json(std::string_view text) {
  try {
    bool too_deep = false;
    const auto limit = [&](int depth, Json::parse_event_t event, Json&) {
      const bool opens =
          event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
      too_deep = too_deep || (opens && depth >= deepest_nesting);
      return !too_deep;
    };
    Json document = Json::parse(text, limit);
    if (too_deep)
      return Error{fmt::format("nested more than {} deep", deepest_nesting), {}};
    return document;
  } catch (const Json::parse_error& error) {
    // The library's text ends with what it expected; its front repeats the position in another
    // form.
    const std::string_view message = error.what();
    const auto detail = message.find(": ");
    return located(text, error.byte,
                   detail == std::string_view::npos ? message : message.substr(detail + 2));
  } catch (const Json::exception& error) {
    return Error{error.what(), {}};
  }
}

std::string to_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace dragnet
