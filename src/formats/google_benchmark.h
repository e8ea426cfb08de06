// Google Benchmark: its JSON output, the list of its cases, and the filter that runs one of them.
#pragma once

#include "base/result.h"
#include "formats/foreign_results.h"

#include <string>
#include <string_view>
#include <vector>

namespace dragnet::formats {

/// The runs in the output of --benchmark_format=json: one for each repetition, with "wall", "cpu"
/// and the counters. Aggregates are left out; a case that reported an error becomes a warning.
Result<ForeignResults> read_google_benchmark(std::string_view text);

/// The names of the cases in the output of --benchmark_list_tests, each once.
std::vector<std::string> parse_google_benchmark_list(std::string_view output);

/// The value of --benchmark_filter that runs exactly this case.
std::string google_benchmark_filter(std::string_view case_name);

} // namespace dragnet::formats
