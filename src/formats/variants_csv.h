// Tables of measurements of configurations at commits: a column "commit", a column with the value,
// and a column for each option with 0 or 1. Other columns do not count.
#pragma once

#include "base/result.h"
#include "model/recorded_variants.h"

#include <string>
#include <string_view>
#include <vector>

namespace dragnet::formats {

/// What to read from the table.
struct VariantsColumns {
  std::string value;                ///< the column with the values
  std::vector<std::string> options; ///< their columns; where none are named, all that have only 0
                                    ///< and 1
};

/// The table. Commits that are whole numbers are sorted, others are taken in the order in which
/// they first occur; rows without a value are left out. An Error names line and column of the first
/// mistake.
Result<RecordedVariants> read_variants_csv(std::string_view text, const VariantsColumns& columns);

} // namespace dragnet::formats
