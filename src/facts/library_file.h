// Costs of the library as a file: a line a function, its name and after a tab its cost in
// operations of the source.
#pragma once

#include "base/result.h"
#include "model/source.h"

#include <string>
#include <string_view>

namespace dragnet::facts {

std::string to_text(const LibraryCosts& costs);

/// An Error names the line that is wrong.
Result<LibraryCosts> parse_library(std::string_view text);

} // namespace dragnet::facts
