// Any text as facts and as counts: what is read reads back equal.
#include "facts/counts.h"
#include "facts/facts_file.h"
#include "facts/unit_facts.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  if (const auto unit = dragnet::facts::parse(text)) {
    const std::string written = dragnet::facts::to_text(*unit);
    const auto again = dragnet::facts::parse(written);
    if (!again || dragnet::facts::to_text(*again) != written)
      std::abort();
    dragnet::facts::linked({*unit, *unit});
  }
  if (const auto profile = dragnet::facts::parse_profile(text)) {
    const std::string written = dragnet::facts::to_text(*profile);
    const auto again = dragnet::facts::parse_profile(written);
    if (!again || dragnet::facts::to_text(*again) != written)
      std::abort();
  }
  return 0;
}
