// What a run did by stacks, as the text that is kept of it. The first line says what it is; then
// one line each, numbered from 0 in order where others refer to it:
//   binary <path>
//   source <file>
//   frame <binary> <source or -> <line> <inlined or called> <name>
//   stack <frame> ...                          root first
//   file <path>
//   use <stack> <file or -> <calls> <amount> <metric>
//   accounted <amount> <metric>
//   lost <number>
//   gap <sentence>
//   way <how it was watched>
//   chosen <way>                               where the user chose one
// A backslash or a newline in a text is written as \\ or \n.
#pragma once

#include "base/result.h"
#include "model/stacks.h"

#include <string>
#include <string_view>
#include <vector>

namespace dragnet::store {

/// What a run did, and what of it could not be seen.
struct KeptStacks {
  StackProfile profile;
  std::vector<std::string> gaps;
  std::string way;
  std::string chosen_way;
};

std::string stacks_text(const WatchedRun& run);

/// An Error says which line is not as it should be.
Result<KeptStacks> parse_stacks(std::string_view text);

} // namespace dragnet::store
