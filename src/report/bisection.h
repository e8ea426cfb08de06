// What a search for a culprit found, for people and for programs.
#pragma once

#include "analysis/bisect/finding.h"

#include <string>
#include <vector>

namespace dragnet::report {

/// The findings of a search: that of the line between its ends, then those of merged branches.
struct Searched {
  std::string project;
  std::string version; ///< of Dragnet
  std::vector<bisect::Finding> findings;
};

/// The answer as one sentence, then runners-up, what could not be measured, and what it took.
std::string bisection_text(const Searched& searched, bool colours);

/// The document "bisection", as docs/json.md describes it.
std::string bisection_json(const Searched& searched);

/// A probability for people: "97.3 %"; one that is all but certain is not rounded up to 100 %.
std::string format_probability(double probability);

} // namespace dragnet::report
