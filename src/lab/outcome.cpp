#include "lab/outcome.h"

#include "model/run.h"
#include "run/job.h"

namespace dragnet::lab {
namespace {

// A shell reports its child's signal n as the status 128 + n.
constexpr int signal_base = 128;

RunOutcome outcome_of(const run::Finished& finished) {
  switch (finished.ending) {
  case run::Ending::Exited:
    if (finished.status == 0)
      return RunOutcome::Finished;
    return finished.status > signal_base ? RunOutcome::Crashed : RunOutcome::Failed;
  case run::Ending::Signalled:
    return RunOutcome::Crashed;
  case run::Ending::TimedOut:
    return RunOutcome::TimedOut;
  case run::Ending::NotStarted:
    break;
  }
  return RunOutcome::NotStarted;
}

} // namespace

void note_ending(const run::Finished& finished, Run& run) {
  const bool shell_told = finished.ending == run::Ending::Exited && finished.status > signal_base;
  run.outcome = outcome_of(finished);
  run.status = shell_told ? finished.status - signal_base : finished.status;
  run.seconds = finished.wall_seconds;
  run.log = finished.log;
}

} // namespace dragnet::lab
