// What other tools measured, brought into our words: seconds, bytes and counts, one entry per run.
// docs/formats.md describes the files that are accepted.
#pragma once

#include "base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::formats {

/// One run of a benchmark by another tool; the values are finite, and times are not negative.
struct ForeignRun {
  std::string benchmark;
  std::map<std::string, double> samples; ///< by metric, in base units
  bool operator==(const ForeignRun&) const = default;
};

struct ForeignResults {
  std::string tool;                  ///< "google-benchmark", "hyperfine" or "csv"
  std::string machine;               ///< the host's name, if the file tells
  std::vector<ForeignRun> runs;      ///< in the order of the file
  std::vector<std::string> warnings; ///< what was left out or looks odd, and why
  bool operator==(const ForeignResults&) const = default;
};

/// The results in a text of any format that is known, recognised by its content; Errors begin with
/// the file's name.
Result<ForeignResults> read_any(std::string_view text, std::string_view file_name);

} // namespace dragnet::formats
