// What a program that failed printed, as far as an error shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dragnet {

/// The last lines of a log, each on a line of its own behind a bar. Where a compiler reports its
/// first error further above, most of the lines are those from there on. Empty for nothing.
std::string log_end(std::string_view log, std::size_t most_lines = 15);

} // namespace dragnet
