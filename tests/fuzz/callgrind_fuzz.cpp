// Any text as callgrind's output: it is read or refused, and what is read keeps its promises.
#include "base/ensure.h"
#include "profile/callgrind.h"

#include <cstddef>
#include <cstdint>
#include <string>

using dragnet::ensure;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  const auto output = dragnet::profile::parse_callgrind(text);
  if (!output) {
    ensure(!output.error().what.empty(), "an Error says what is wrong");
    return 0;
  }
  for (const auto& cost : output->costs)
    ensure(cost.object < output->objects.size(), "a cost is of an object");
  for (const auto& call : output->calls)
    ensure(call.from_object < output->objects.size() && call.to_object < output->objects.size(),
           "a call joins objects");
  const auto profile = dragnet::profile::attribute({*output}, {}, {});
  ensure(profile.functions.empty(), "without tables there are no functions");
  return 0;
}
