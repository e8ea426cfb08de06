// What a search over commits and configurations found, with the names of all things.
#pragma once

#include "analysis/variants/answer.h"
#include "model/configuration.h"
#include "model/metric.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::variants {

/// A commit of the range, as people know it.
struct NamedCommit {
  std::string id; ///< whole; as the table has it, if it comes from one
  std::string brief;
  std::string subject; ///< empty where it is not known
};

/// A constraint that the program and the project do not agree on.
struct Disagreement {
  enum class Kind {
    Refused, ///< the constraints allow what the program refuses
    Accepted ///< the program accepts what a constraint forbids
  };
  Kind kind = Kind::Refused;
  std::string constraint;         ///< as it was written, or what the program seems to want
  std::string example;            ///< a configuration
  std::size_t configurations = 0; ///< that show it
  std::string said;               ///< the last line of what the program printed, if it refused
};

/// What it took.
struct Effort {
  std::size_t runs = 0;
  std::size_t builds = 0;
  double seconds = 0;
  bool budget_spent = false;
};

struct Finding {
  std::string benchmark; ///< or the file that was read
  Metric metric;
  std::vector<NamedCommit> commits; ///< oldest first
  ConfigurationSpace space;
  LearnRule rule;
  Answer answer;
  std::vector<Disagreement> disagreements;
  std::vector<std::string> notes; ///< what was left out, and why
  Effort effort;
  bool measured = true; ///< by us; otherwise it was read

  /// Whether a change made the metric worse.
  bool worse(const ChangePoint& change) const;
  /// The options of a condition by name: "compress and not cache"; "all" where there are none.
  std::string condition(const Condition& condition) const;
};

/// 0: nothing became worse; 1: something did; 3: the search was not done; 4: nothing was measured.
int exit_status(const Finding& found);

} // namespace dragnet::variants
