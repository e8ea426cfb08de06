// What `dragnet provoke` answers: how the search went, and the inputs that it ended with.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/search.h"
#include "analysis/provoke/shrink.h"
#include "model/commit.h"
#include "model/metric.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::provoke {

struct Answer {
  std::string project;
  Commit old_commit;
  Commit new_commit;
  Metric metric;
  bool exact = false; ///< whether one run of each version tells
  std::string strategy;
  std::uint64_t seed = 0;
  std::size_t length = 0;
  std::vector<std::string> genes; ///< by number
  std::size_t remembered = 0;     ///< evaluations that an earlier search had made
  double program_seconds = 0;     ///< that the programs ran, of all that ran at once together
  std::size_t at_once = 1;
  Outcome outcome;
  double best_base = 0; ///< what the best chromosome costs the old version
  std::optional<Shrunk> shrunk;
  double shrunk_base = 0; ///< what that costs the old version
  bool slower = false;    ///< whether the new version is slower on it by what matters
};

} // namespace dragnet::provoke
