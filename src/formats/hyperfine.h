// Hyperfine's --export-json.
#pragma once

#include "base/result.h"
#include "formats/foreign_results.h"

#include <string_view>

namespace dragnet::formats {

/// The runs in a text by `hyperfine --export-json`, with "wall" and, where it was measured,
/// "memory".
Result<ForeignResults> read_hyperfine(std::string_view text);

} // namespace dragnet::formats
