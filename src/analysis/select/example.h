// What was seen of one benchmark between two commits: what a predictor knows beforehand, and what
// came out. Predictors are trained on examples and tested on others.
#pragma once

#include "analysis/select/features.h"
#include "analysis/select/indicators.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::select {

enum class Truth : std::uint8_t {
  Unknown,
  Hit,    ///< the performance changed
  Dismiss ///< it did not
};

struct Example {
  std::string subject; ///< the program
  std::string benchmark;
  std::string old_commit;
  std::string new_commit;
  std::size_t position = 0; ///< of the new commit in its history, oldest first
  std::size_t hops = 1;     ///< from the old commit to the new; 1: its parent
  Indicators indicators{};
  Features features{};
  double old_instructions = 0; ///< executed; 0 if not counted
  double new_instructions = 0;
  Truth truth_by_count = Truth::Unknown;
  Truth truth_by_time = Truth::Unknown;
  Truth truth = Truth::Unknown; ///< the one that counts here
};

/// Some of the examples that somebody else owns.
using Examples = std::vector<const Example*>;

/// A hit if the executed instructions changed by at least this share, up or down; unknown if one of
/// the counts is.
Truth truth_by_count(double old_instructions, double new_instructions, double least_change = 0.01);

} // namespace dragnet::select
