// Tables as text: one column names the benchmark; the others are metrics, or a metric's name and
// its value.
#pragma once

#include "base/result.h"
#include "formats/foreign_results.h"

#include <string_view>

namespace dragnet::formats {

/// The runs in a table, wide (a column for each metric) or long (columns "metric" and "value"). An
/// Error names line and column of the first mistake.
Result<ForeignResults> read_csv(std::string_view text);

} // namespace dragnet::formats
