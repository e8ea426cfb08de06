// Any text as a table of measurements of configurations at commits.
#include "base/ensure.h"
#include "formats/variants_csv.h"
#include "model/recorded_variants.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

using dragnet::ensure;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  const auto table = dragnet::formats::read_variants_csv(text, {.value = "value", .options = {}});
  if (!table) {
    ensure(!table.error().what.empty(), "an Error has a message");
    return 0;
  }
  ensure(!table->options.empty() && !table->commits.empty(), "a table has options and commits");
  for (const dragnet::RecordedValue& value : table->values) {
    ensure(value.commit < table->commits.size() && std::isfinite(value.value), "a sound value");
    ensure(value.configuration.size() == table->options.size(), "all options are known");
  }
  return 0;
}
