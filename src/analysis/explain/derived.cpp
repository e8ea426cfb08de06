#include "analysis/explain/derived.h"

#include "model/profile.h"
#include "model/stacks.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::explain {

std::vector<std::string> stack_metrics() {
  return {"written", "read",   "sent",      "received", "spliced",
          "fsync",   "opened", "allocated", "calls",    "instructions"};
}

void add_calls(StackProfile& stacks) {
  std::map<std::pair<std::size_t, std::string>, std::uint64_t> sums;
  for (const StackUse& use : stacks.uses)
    if (use.metric != "allocated" && use.metric != "instructions")
      sums[{use.stack, use.file}] += use.calls;
  for (const auto& [place, calls] : sums)
    stacks.uses.push_back({.stack = place.first,
                           .metric = "calls",
                           .file = place.second,
                           .calls = calls,
                           .amount = calls});
}

void add_instructions(StackProfile& stacks, const Profile& profile) {
  for (const FunctionCounts& counts : profile.functions) {
    if (counts.instructions == 0)
      continue;
    stacks.stacks.push_back({stacks.frames.size()});
    stacks.frames.push_back({.function = counts.function, .place = {}, .inlined = false});
    stacks.uses.push_back({.stack = stacks.stacks.size() - 1,
                           .metric = "instructions",
                           .file = {},
                           .calls = counts.calls,
                           .amount = counts.instructions});
  }
}

} // namespace dragnet::explain
