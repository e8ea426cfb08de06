#include "base/log_end.h"

#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet {
namespace {

using Lines = std::span<const std::string>;

bool is_error(std::string_view line) {
  return line.find("error: ") != std::string_view::npos || line.starts_with("CMake Error");
}

std::string behind_bars(Lines lines) {
  std::string text;
  for (const std::string& line : lines)
    text += "\n  | " + line;
  return text;
}

} // namespace

std::string log_end(std::string_view log, std::size_t most_lines) {
  const std::string_view said = trim(log);
  if (said.empty())
    return {};
  const std::vector<std::string> kept = lines(said);
  const Lines all(kept);
  if (all.size() <= most_lines)
    return behind_bars(all);
  const auto error = static_cast<std::size_t>(std::ranges::find_if(all, is_error) - all.begin());
  if (error >= all.size() - most_lines)
    return behind_bars(all.last(most_lines));
  const std::size_t last = most_lines / 5;
  return behind_bars(all.subspan(error, most_lines - last)) + "\n  | ..." +
         behind_bars(all.last(last));
}

} // namespace dragnet
