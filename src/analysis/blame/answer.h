// What `dragnet blame` answers: the changed functions in order, with their source, and what came of
// trying changes one by one.
#pragma once

#include "analysis/blame/rank.h"
#include "model/check.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/metric.h"
#include "model/profile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::blame {

/// What costs are in.
enum class Cost : std::uint8_t {
  Time,        ///< ticks of the processor's clock
  Instructions ///< counted: the same in every run, but nothing that waits shows
};

/// A difference in time, as a share of the old cost, and whether each run of the new version took
/// longer than each of the old one.
struct TimeGrowth {
  double share = 0;
  bool in_every_run = false;
};

/// Which of them tells more about a difference, from that and its share in instructions.
Cost telling_cost(const TimeGrowth& in_time, double in_instructions);

std::string_view name_of(Cost cost);

enum class TrialOutcome : std::uint8_t { Measured, DoesNotBuild, Fails };

/// What came of putting a part of the difference into the old version, or leaving it out of the
/// new.
struct Trial {
  TrialOutcome outcome = TrialOutcome::Measured;
  double effect = 0; ///< what the part makes worse, in the metric's unit per run
  double error = 0;  ///< of that, standard; 0 where the metric is exact
};

/// A function that differs, and what speaks against it.
struct Suspect {
  FunctionId function; ///< in the new version
  ChangeKind kind = ChangeKind::Changed;
  std::optional<SourcePlace> place;
  std::string hunk;            ///< how its source changed, as a unified diff; may be empty
  std::vector<Commit> commits; ///< that touched these lines, newest first
  Blame blame;
  std::size_t published_rank = 0;  ///< from 1
  std::optional<std::size_t> unit; ///< of the verification: where its source is
};

/// A part of the difference in source that was tried by itself: what belongs to one function, or
/// what lies elsewhere in a file.
struct Unit {
  std::string name;
  std::optional<Trial> alone;   ///< old with it
  std::optional<Trial> without; ///< new without it; what is missing then
  /// What it causes as a part of the regression: by itself, or by being left out where it does not
  /// stand alone. Nothing where neither was measured.
  std::optional<double> share;
};

struct Verification {
  Metric metric;
  std::string how; ///< "counted once" or "12 pairs"
  double old_value = 0;
  double difference = 0;
  double error = 0;
  bool regressed = false;
  std::vector<Unit> units;
  /// The smallest set of units that has at least half of the regression, as far as was tried.
  std::vector<std::size_t> culprits;
  std::optional<double> culprits_share;
  std::size_t builds = 0; ///< that were made or remembered for it
};

struct Answer {
  std::string project;
  std::string benchmark;
  Commit old_commit;
  Commit new_commit;
  Method method = Method::Credited;
  std::size_t runs = 0;       ///< that were traced, of each version
  std::size_t executions = 0; ///< in one of them
  std::uint64_t events = 0;   ///< the same
  bool by_paths = true;       ///< otherwise there were too many events, and paths are of length one
  Cost cost = Cost::Time;
  double old_cost = 0; ///< of a run
  Ranking ranking;
  std::vector<Suspect> suspects; ///< the most to blame first
  std::optional<Verification> verification;
  std::vector<std::string> notes;
};

} // namespace dragnet::blame
