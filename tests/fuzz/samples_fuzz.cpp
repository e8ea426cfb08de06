// Any bytes as records of the kernel's sampler: they are read or refused.
#include "base/ensure.h"
#include "profile/sample_records.h"

#include <cstddef>
#include <cstdint>
#include <span>

using dragnet::ensure;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto events = dragnet::profile::parse_sample_records(std::as_bytes(std::span(bytes, size)));
  if (!events) {
    ensure(!events.error().what.empty(), "an Error says what is wrong");
    return 0;
  }
  const auto profile = dragnet::profile::attribute(*events, {}, {});
  ensure(!profile || profile->functions.empty(), "without tables there are no functions");
  return 0;
}
