// Who is to blame, for people and for programs.
#pragma once

#include "analysis/blame/answer.h"

#include <cstddef>
#include <string>

namespace dragnet::report {

struct BlameLook {
  bool colours = false;
  std::size_t most = 10;    ///< suspects in the table; 0 for all
  std::size_t detailed = 3; ///< of those, with source and commits
};

/// One sentence, a table, what was verified, and the source of the first suspects.
std::string blame_text(const blame::Answer& answer, const BlameLook& look);

/// The document "blame", as docs/json.md describes it.
std::string blame_json(const blame::Answer& answer, const std::string& version);

} // namespace dragnet::report
