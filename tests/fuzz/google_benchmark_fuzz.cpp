// Any text as Google Benchmark's output: it is read or gives an Error with a message; what was read
// is finite, and reading again and recognising the format give the same.
#include "base/ensure.h"
#include "formats/foreign_results.h"
#include "formats/google_benchmark.h"

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
  for (const auto& name : parse_google_benchmark_list(text))
    ensure(google_benchmark_filter(name).size() >= name.size() + 2,
           "a filter holds the whole name");
  const auto results = read_google_benchmark(text);
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
  ensure(*read_google_benchmark(text) == *results, "reading again gives the same");
  ensure(!recognised || recognised->tool != results->tool || *recognised == *results,
         "recognised is the same");
  return 0;
}
