// Where do the changes of several stacks arise? Spectrum-based fault localisation over functions: a
// function is suspect if the stacks that changed lead through it and the others do not.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <vector>

namespace dragnet::explain {

/// A row as far as it matters here.
struct SuspectPath {
  std::vector<std::size_t> path; ///< functions, root first
  bool changed = false;
  double effect = 0; ///< share of a run: of a changed row what changed, else what it does
};

struct Suspect {
  std::size_t function = 0;
  double similarity = 0;         ///< Ochiai's, weighted by effects
  double effect = 0;             ///< of its rows
  std::vector<std::size_t> rows; ///< the changed ones through it that no suspect before has
};

/// Suspects for the changed rows, the largest effect first, at most 20. Functions whose code
/// changed come before others on the paths that have one; of equally suspect functions the deepest
/// is named.
std::vector<Suspect> suspects(std::span<const SuspectPath> rows,
                              const std::set<std::size_t>& code_changed);

} // namespace dragnet::explain
