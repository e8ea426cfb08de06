// Unit test binaries as suites: how each kind lists its cases, and which words run one of them.
#pragma once

#include "model/benchmark.h"

#include <string>
#include <string_view>
#include <vector>

namespace dragnet::formats {

/// The shell command that lists the cases of a suite, given the one that runs all of them.
std::string listing_command(Suite suite, const std::string& command);

/// The names of the cases in what the listing command wrote, each once, in order. Cases that are
/// disabled are left out.
std::vector<std::string> parse_listing(Suite suite, std::string_view output);

/// The shell command that starts a suite of unit tests and runs none of its cases. Empty for
/// others.
std::string start_command(Suite suite, const std::string& command);

/// The shell command that runs exactly one case. Empty for suites that need more to be told.
std::string case_command(Suite suite, const std::string& command, const std::string& case_name);

} // namespace dragnet::formats
