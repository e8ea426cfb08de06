// What a search between two commits found, in terms of commits: for whoever shows it.
#pragma once

#include "analysis/bisect/search.h"
#include "base/result.h"
#include "base/units.h"
#include "model/commit.h"
#include "model/metric.h"
#include "model/run.h"
#include "stats/interval.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::bisect {

/// A commit, or several of which no measurement can tell which one it is.
struct Suspect {
  std::vector<Commit> commits; ///< oldest first
  double probability = 0;
};

/// A commit that was tried in vain.
struct Unusable {
  Commit commit;
  std::string why; ///< "does not build"
};

/// What it took.
struct Effort {
  std::size_t builds = 0;      ///< made now, failures included
  std::size_t builds_kept = 0; ///< used, but made before
  std::size_t rounds = 0;      ///< measured now
  std::size_t rounds_kept = 0;
  std::size_t runs = 0;      ///< of all rounds
  double seconds = 0;        ///< spent now on building and running
  bool budget_spent = false; ///< it ended because of that
};

struct Finding {
  Commit good;
  Commit bad;
  std::size_t commits = 0; ///< after the good end, up to the bad one
  std::string benchmark;
  Metric metric;
  Method method = Method::Timed;
  double confidence = 0.95;
  double smallest_effect = 0.02;
  Seconds budget{0};

  Outcome outcome = Outcome::EndsUnknown;
  double effect = 0;        ///< bad / good - 1
  stats::Interval interval; ///< of the effect
  bool exact = false;       ///< counts that repeat: the effect is no estimate
  double ends_p_value = 1;
  std::vector<Suspect> suspects;  ///< most probable first; the first one is named if it was found
  std::vector<Unusable> unusable; ///< oldest first
  Effort effort;
  std::string prior;               ///< what was known of the commits beforehand
  std::optional<Error> stopped_by; ///< why it ended before its time

  /// Whether a commit, or a group of them, is named.
  bool named() const { return outcome == Outcome::Found || outcome == Outcome::OneOf; }
};

/// 0 a culprit is named, else 4 nothing was measured, else 3.
int exit_status(const Finding& finding);

} // namespace dragnet::bisect
