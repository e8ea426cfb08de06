// What every importer must keep, whatever bytes it is given: an Error has a message, values are
// finite, times are not negative, and reading again and recognising the format give the same.
#pragma once

#include "base/ensure.h"
#include "base/result.h"
#include "formats/foreign_results.h"

#include <cmath>
#include <string>
#include <string_view>

namespace dragnet::fuzz {

inline void check_run(const formats::ForeignRun& run) {
  ensure(!run.benchmark.empty() && !run.samples.empty(), "a run has a name and a sample");
  for (const auto& [metric, value] : run.samples)
    ensure(!metric.empty() && std::isfinite(value), "a sample is a finite number");
  ensure(!run.samples.contains("wall") || run.samples.at("wall") >= 0, "a time is not negative");
}

inline void check_importer(Result<formats::ForeignResults> (*read)(std::string_view),
                           const std::string& text) {
  const auto results = read(text);
  const auto recognised = formats::read_any(text, "file");
  if (!results) {
    ensure(!results.error().what.empty(), "an Error has a message");
    return;
  }
  for (const auto& run : results->runs)
    check_run(run);
  ensure(*read(text) == *results, "reading again gives the same");
  ensure(!recognised || recognised->tool != results->tool || *recognised == *results,
         "recognised is the same");
}

} // namespace dragnet::fuzz
