// Any text as a table.
#include "formats/csv.h"
#include "fuzz/importer.h"

#include <cstddef>
#include <cstdint>
#include <string>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  dragnet::fuzz::check_importer(dragnet::formats::read_csv, text);
  return 0;
}
