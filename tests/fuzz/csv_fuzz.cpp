// Any text as a table: it is read or gives an Error with a message; what was read is finite, and
// reading again and recognising the format give the same.
#include "base/ensure.h"
#include "formats/csv.h"
#include "formats/foreign_results.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

using dragnet::ensure;
using namespace dragnet::formats; // NOLINT(google-build-using-namespace): this file is about
                                  // nothing else

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  const auto results = read_csv(text);
  const auto recognised = read_any(text, "file");
  if (!results) {
    ensure(!results.error().what.empty(), "an Error has a message");
    return 0;
  }
  for (const auto& run : results->runs) {
    ensure(!run.benchmark.empty() && !run.samples.empty(), "a run has a name and a sample");
    for (const auto& [metric, value] : run.samples)
      ensure(!metric.empty() && std::isfinite(value), "a sample is a finite number");
    ensure(!run.samples.contains("wall") || run.samples.at("wall") >= 0, "a time is not negative");
  }
  ensure(*read_csv(text) == *results, "reading again gives the same");
  ensure(!recognised || recognised->tool != results->tool || *recognised == *results,
         "recognised is the same");
  return 0;
}
