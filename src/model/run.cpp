#include "model/run.h"
#include <string_view>

namespace dragnet {

std::string_view name(Purpose purpose) {
  switch (purpose) {
  case Purpose::Plain:
    return "plain";
  case Purpose::Traced:
    return "traced";
  case Purpose::Aligned:
    return "aligned";
  case Purpose::Imported:
    break;
  }
  return "imported";
}

std::string_view name(BuildOutcome outcome) {
  switch (outcome) {
  case BuildOutcome::Built:
    return "built";
  case BuildOutcome::Failed:
    return "failed";
  case BuildOutcome::TimedOut:
    return "timed out";
  }
  return "unknown";
}

std::string_view name(RunOutcome outcome) {
  switch (outcome) {
  case RunOutcome::Finished:
    return "finished";
  case RunOutcome::Failed:
    return "failed";
  case RunOutcome::Crashed:
    return "crashed";
  case RunOutcome::TimedOut:
    return "timed out";
  case RunOutcome::NotStarted:
    return "not started";
  }
  return "unknown";
}

std::string_view name(Method method) {
  return method == Method::Timed ? "timed" : "counted";
}

} // namespace dragnet
