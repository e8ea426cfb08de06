// The order in which to run tests for a commit, and why.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet {

/// A function on the way from the root to what changed.
struct RankedStep {
  std::string function;
  double frequency = 1; ///< calls for one execution of the step before
};

/// Where a change of cost arises, and its part of the test's cost.
struct RankedOrigin {
  std::string function;
  double share = 0;
};

struct RankedTest {
  std::string name;
  double share = 0;     ///< estimated change of its cost; 0.1 is 10 % more
  bool reached = false; ///< it executes something that changed
  std::vector<RankedStep> path;
  std::vector<RankedOrigin> origins; ///< the largest first
};

struct Ranking {
  std::vector<RankedTest> tests; ///< in the order to run them
  std::size_t added = 0;         ///< functions
  std::size_t revised = 0;
  std::size_t removed = 0;
  std::vector<std::string> warnings; ///< what is unknown because it could not be read
};

} // namespace dragnet
