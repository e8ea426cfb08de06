#include "facts/library_file.h"

#include "base/result.h"
#include "base/text.h"
#include "model/source.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace dragnet::facts {

std::string to_text(const LibraryCosts& costs) {
  std::string text;
  for (const auto& [name, cost] : costs)
    text += fmt::format("{}\t{}\n", name, cost);
  return text;
}

Result<LibraryCosts> parse_library(std::string_view text) {
  LibraryCosts costs;
  std::size_t number = 0;
  for (const std::string& line : lines(text)) {
    ++number;
    const std::size_t tab = line.find('\t');
    double cost = 0;
    const char* end = line.data() + line.size();
    const char* begin = tab == std::string::npos ? end : line.data() + tab + 1;
    const auto [rest, error] = std::from_chars(begin, end, cost);
    if (error != std::errc() || rest != end || !std::isfinite(cost) || cost < 0)
      return Error{fmt::format("line {} of the costs of the library is wrong", number),
                   "remove the file; it is measured again"};
    costs[line.substr(0, tab)] = cost;
  }
  return costs;
}

} // namespace dragnet::facts
