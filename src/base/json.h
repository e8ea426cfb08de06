// JSON documents, in the order they are written. Include this only in sources: the library behind
// it is large.
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace dragnet {

using Json = nlohmann::ordered_json;

/// The document in a text; an Error names line and column of the first mistake. Nesting beyond 200
/// is refused.
Result<Json> parse_json(std::string_view text);

/// A document as indented text with a newline at its end; bytes that are not UTF-8 are replaced.
std::string to_text(const Json& document);

} // namespace dragnet
