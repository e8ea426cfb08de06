// A benchmark: a named command, or one case inside a benchmark binary.
#pragma once

#include "base/units.h"

#include <map>
#include <string>
#include <vector>

namespace dragnet {

/// The kinds of benchmark and test binaries whose cases Dragnet can list and run one by one.
enum class Suite { None, GoogleBenchmark, GoogleTest, Catch2, Doctest, CTest };

/// Whether a suite times its cases itself; those of others are measured from outside.
inline bool measures_itself(Suite suite) {
  return suite == Suite::GoogleBenchmark;
}

struct Benchmark {
  std::string name;    ///< as users write it; a case of a suite is "suite's name/case"
  std::string command; ///< for sh, with the project's root as working folder
  Suite suite = Suite::None;
  std::string
      suite_case; ///< the case's own name; empty for a plain command, or for a suite not yet listed
  std::string start; ///< starts its program without its work, which is no part of it; may be empty
  std::string prepare;              ///< run before each run, not measured; may be empty
  std::vector<std::string> metrics; ///< those that are judged, in order
  std::map<std::string, double>
      smallest_effect; ///< by metric, as a share: 0.02 is 2 %; "" is for all others
  Seconds limit{300};  ///< a run that takes longer is ended
  int cores = 1;       ///< how many cores it may use; 0 for all
  std::map<std::string, std::string> environment;
  std::vector<std::string> inputs; ///< files below the root whose content belongs to the definition

  /// The smallest effect that matters to the user for a metric.
  double smallest_effect_of(const std::string& metric) const {
    const auto found = smallest_effect.find(metric);
    const auto other = smallest_effect.find("");
    return found != smallest_effect.end()   ? found->second
           : other != smallest_effect.end() ? other->second
                                            : 0.02;
  }
};

} // namespace dragnet
