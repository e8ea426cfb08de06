// What was learned, as a JSON document that reads back equal: version, the probability predictor
// with its features by name, and the threshold predictors by benchmark.
#pragma once

#include "analysis/select/select.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace dragnet::select {

/// Indented, with a newline at the end.
std::string to_json(const Learned& learned);

/// An Error says what is missing or wrong, or that another version wrote it: learn again then.
Result<Learned> learned_from_json(std::string_view text);

} // namespace dragnet::select
