// Any text as Google Benchmark's output.
#include "formats/google_benchmark.h"
#include "fuzz/importer.h"

#include <cstddef>
#include <cstdint>
#include <string>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  for (const auto& name : dragnet::formats::parse_google_benchmark_list(text))
    dragnet::ensure(dragnet::formats::google_benchmark_filter(name).size() >= name.size() + 2,
                    "a filter holds the whole name");
  dragnet::fuzz::check_importer(dragnet::formats::read_google_benchmark, text);
  return 0;
}
