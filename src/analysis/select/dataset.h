// Examples as a file of comma-separated values, so that an evaluation can be repeated without
// measuring again. One row per example; the first row names the columns:
//   subject, old_commit, new_commit, position, hops, benchmark: as in Example; without commas
//   the eight indicators and all features, by their names
//   old_instructions, new_instructions: executed; 0 if not counted
//   truth_by_time: hit, dismiss or unknown
// The truth by count follows from the instructions and is not kept.
#pragma once

#include "analysis/select/evidence.h"
#include "analysis/select/example.h"
#include "base/result.h"
#include "model/function.h"
#include "model/profile.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::select {

/// Where an example comes from and what came out.
struct Observation {
  std::string subject;
  std::string benchmark;
  std::string old_commit;
  std::string new_commit;
  std::size_t position = 0;
  std::size_t hops = 1;
  double old_instructions = 0;
  double new_instructions = 0;
  Truth truth_by_time = Truth::Unknown;
};

/// The example that a difference, the profile on the old build and an observation make; its truth
/// is the one by count.
Example example_of(const Observation& observation, const Difference& difference,
                   const Profile& profile, const Circumstances& circumstances);

/// The names of the columns, with a newline at the end.
std::string csv_header();

/// One example, with a newline at the end. Numbers read back equal.
std::string csv_row(const Example& example);

/// The examples of a text whose first row names these columns, in any order; others are ignored. An
/// Error names the line.
Result<std::vector<Example>> parse_examples(std::string_view text);

} // namespace dragnet::select
