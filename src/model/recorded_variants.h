// Values of configurations at commits that somebody measured before, as a table.
#pragma once

#include "model/configuration.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet {

/// One value of the table.
struct RecordedValue {
  Configuration configuration;
  std::size_t commit = 0; ///< position in the table's commits
  double value = 0;
};

struct RecordedVariants {
  std::vector<std::string> options; ///< names
  std::vector<std::string> commits; ///< as the table names them, oldest first
  std::vector<RecordedValue> values;
  std::vector<std::string> notes; ///< what was left out, and why
};

} // namespace dragnet
