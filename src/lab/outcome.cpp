#include "lab/outcome.h"

#include "model/run.h"
#include "run/job.h"

#include <map>
#include <string>

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

std::map<std::string, double> accounted(const run::Finished& finished) {
  std::map<std::string, double> samples{{"wall", finished.wall_seconds},
                                        {"cpu", finished.user_seconds + finished.system_seconds},
                                        {"user", finished.user_seconds},
                                        {"system", finished.system_seconds},
                                        {"memory", finished.peak_bytes},
                                        {"page-faults", finished.page_faults},
                                        {"context-switches", finished.context_switches}};
  if (finished.transfers) {
    samples["bytes-read"] = finished.transfers->bytes_read;
    samples["bytes-written"] = finished.transfers->bytes_written;
    samples["reads"] = finished.transfers->reads;
    samples["writes"] = finished.transfers->writes;
  }
  if (finished.counted)
    samples["instructions"] = *finished.counted;
  return samples;
}

void note_ending(const run::Finished& finished, Run& run) {
  const bool shell_told = finished.ending == run::Ending::Exited && finished.status > signal_base;
  run.outcome = outcome_of(finished);
  run.status = shell_told ? finished.status - signal_base : finished.status;
  run.seconds = finished.wall_seconds;
  run.log = finished.log;
}

} // namespace dragnet::lab
