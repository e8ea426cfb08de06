// What the name of a source file says.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace dragnet {

/// Whether it is included by others rather than compiled itself.
inline bool is_header(std::string_view file) {
  constexpr std::array<std::string_view, 9> ends{".h",   ".hh",  ".hpp", ".hxx", ".H",
                                                 ".inc", ".inl", ".ipp", ".tpp"};
  return std::ranges::any_of(ends, [&](std::string_view end) { return file.ends_with(end); });
}

} // namespace dragnet
