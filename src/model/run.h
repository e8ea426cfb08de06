// Builds, runs and samples: what was made and what was seen.
#pragma once

#include "model/commit.h"

#include <cstdint>
#include <map>
#include <string>

namespace dragnet {

/// What a build is for.
enum class Purpose {
  Plain,
  Traced,  ///< with hooks for the tracer
  Aligned, ///< with its code in other places
  Imported
};

enum class BuildOutcome { Built, Failed, TimedOut };

/// A commit built in a variant for a purpose.
struct Build {
  std::string key; ///< names everything that determines it
  Commit commit;
  std::string variant; ///< empty for the project's own defaults
  Purpose purpose = Purpose::Plain;
  BuildOutcome outcome = BuildOutcome::Built;
  std::string folder; ///< where $DRAGNET_BUILD is
  double seconds = 0;
  std::string log; ///< the end of what it printed
};

enum class RunOutcome { Finished, Failed, Crashed, TimedOut, NotStarted };

/// How a run was made: on its own, or inside an emulator that counts its instructions.
enum class Method { Timed, Counted };

/// One execution of a benchmark, and the values of its metrics by name.
struct Run {
  std::int64_t id = 0; ///< given by the store
  RunOutcome outcome = RunOutcome::Finished;
  int status = 0;           ///< the exit status, or the signal's number when it crashed
  std::int64_t started = 0; ///< in milliseconds since 1970
  double seconds = 0;       ///< of wall time that the run took from us, whatever its metrics say
  std::map<std::string, double> samples;
  std::string log; ///< what it printed, its middle left out where it is long; kept only when it did
                   ///< not finish

  bool finished() const { return outcome == RunOutcome::Finished; }
};

std::string_view name(Purpose purpose);
std::string_view name(BuildOutcome outcome);
std::string_view name(RunOutcome outcome);
std::string_view name(Method method);

} // namespace dragnet
