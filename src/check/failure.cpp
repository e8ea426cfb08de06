#include "check/failure.h"

#include "model/run.h"

#include <cmath>
#include <fmt/core.h>
#include <string>

namespace dragnet::check {

std::string why_unusable(const Build& build) {
  switch (build.outcome) {
  case BuildOutcome::Built:
    return {};
  case BuildOutcome::TimedOut:
    return "takes too long to build";
  case BuildOutcome::Failed:
    break;
  }
  return "does not build";
}

std::string why_unusable(const Run& run) {
  switch (run.outcome) {
  case RunOutcome::Failed:
    return run.status == 0 ? "the benchmark failed"
                           : fmt::format("the benchmark failed with exit status {}", run.status);
  case RunOutcome::Crashed:
    return fmt::format("the benchmark crashed with signal {}", run.status);
  case RunOutcome::TimedOut:
    return "the benchmark took longer than its timeout";
  case RunOutcome::NotStarted:
    return "the benchmark could not be started";
  case RunOutcome::Finished:
    break;
  }
  return {};
}

std::string why_unusable(const Run& run, const std::string& metric) {
  if (!run.finished())
    return why_unusable(run);
  const auto value = run.samples.find(metric);
  if (value == run.samples.end())
    return fmt::format("has no value of {}", metric);
  if (!std::isfinite(value->second) || value->second <= 0)
    return fmt::format("has a {} of 0, and ratios are compared", metric);
  return {};
}

} // namespace dragnet::check
