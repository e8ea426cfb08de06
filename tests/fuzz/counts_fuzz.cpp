// Any bytes as a counts file: it is read or refused, and what is read keeps its promises.
#include "base/ensure.h"
#include "profile/attribution.h"
#include "profile/counts_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

using dragnet::ensure;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto counts = dragnet::profile::parse_counts(std::as_bytes(std::span(bytes, size)));
  if (!counts) {
    ensure(!counts.error().what.empty(), "an Error says what is wrong");
    return 0;
  }
  ensure(counts->counts.size() == counts->blocks.size(), "each block has a count");
  for (const auto& edge : counts->edges)
    ensure(edge.from < counts->blocks.size() && edge.to < counts->blocks.size(),
           "an edge joins blocks");
  const std::vector processes{*counts};
  const auto profile = dragnet::profile::attribute(processes, {}, {});
  ensure(profile.functions.empty(), "without tables there are no functions");
  return 0;
}
