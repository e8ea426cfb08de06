// What the importers of JSON share. For the sources of this room only: it brings the whole JSON
// library.
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "formats/foreign_results.h"

#include <optional>
#include <string>
#include <string_view>

namespace dragnet::formats {

/// A JSON text whose numbers may also be NaN and Infinity, as Google Benchmark writes them; those
/// become null.
Result<Json> parse_document(std::string_view text);

Result<ForeignResults> google_benchmark_results(const Json& document);
Result<ForeignResults> hyperfine_results(const Json& document);

/// The member of an object, or null when it is absent or not an object.
const Json& member(const Json& object, const std::string& key);

/// The list that is a member of the document.
Result<const Json*> list_in(const Json& document, const std::string& key);

/// The text that is a member of an object; `where` names the object in Errors: "benchmarks[3]".
Result<std::string> text_in(const Json& object, const std::string& key, const std::string& where);

/// A finite number, or nothing.
std::optional<double> finite(const Json& value);

/// What a JSON value is, for Errors: "a text", "nothing".
std::string_view kind_of(const Json& value);

} // namespace dragnet::formats
