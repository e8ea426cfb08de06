// Any bytes as a stacks file: it is read or refused, and what is read keeps its promises.
#include "base/ensure.h"
#include "binary/open_code.h"
#include "profile/stack_file.h"
#include "profile/stack_records.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

using dragnet::ensure;

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  auto stacks = dragnet::profile::parse_stacks(std::as_bytes(std::span(bytes, size)));
  if (!stacks) {
    ensure(!stacks.error().what.empty(), "an Error says what is wrong");
    return 0;
  }
  // Files of this machine are not its business.
  for (auto& module : stacks->modules)
    module.path.insert(0, ".");
  const std::vector processes{*stacks};
  dragnet::binary::OpenCode code;
  const auto profile = dragnet::profile::stack_profile(processes, {}, code);
  for (const auto& use : profile.uses)
    ensure(use.stack < profile.stacks.size(), "a use has a stack");
  for (const auto& stack : profile.stacks)
    for (const auto frame : stack)
      ensure(frame < profile.frames.size(), "a stack has frames");
  dragnet::profile::gaps(processes);
  dragnet::profile::unwatched(processes);
  return 0;
}
