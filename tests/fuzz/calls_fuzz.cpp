// Any bytes as a calls file, a file of ended executions and a trace: they are read or refused, and
// what is read keeps its promises.
#include "base/ensure.h"
#include "model/trace.h"
#include "profile/call_files.h"
#include "profile/trace_files.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

using dragnet::ensure;

namespace {

void check(const dragnet::profile::TracedProcess& process) {
  ensure(process.costs.size() == process.functions.size(), "each function has costs");
  for (const auto& execution : process.executions)
    for (const auto& span : execution) {
      ensure(span.function > 0 && span.function < process.functions.size(),
             "a span has a function");
      ensure(span.first < span.last, "a function ends after it began");
    }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto content = std::as_bytes(std::span(bytes, size));
  const std::array ended{content.first(size / 2)};
  for (const auto& process :
       {dragnet::profile::parse_calls(content, {}), dragnet::profile::parse_calls(content, ended)})
    if (process)
      check(*process);
    else
      ensure(!process.error().what.empty(), "an Error says what is wrong");
  std::vector<dragnet::TraceEvent> aligned(size / sizeof(dragnet::TraceEvent));
  if (!aligned.empty())
    std::memcpy(aligned.data(), bytes, aligned.size() * sizeof(dragnet::TraceEvent));
  const std::span all(aligned);
  const std::array threads{all.first(all.size() / 2), all.subspan(all.size() / 2)};
  const std::array<std::span<const dragnet::TraceEvent>, 2> both{threads[0], threads[1]};
  std::size_t shown = 0;
  dragnet::profile::each_by_time(
      both, [&](std::size_t, std::span<const dragnet::TraceEvent> part) { shown += part.size(); });
  ensure(shown <= aligned.size(), "no event is shown twice");
  return 0;
}
