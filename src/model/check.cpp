#include "model/check.h"
#include "model/verdict.h"

#include <algorithm>
#include <string_view>

namespace dragnet {
namespace {

bool has(const CheckedCommit& checked, Verdict verdict) {
  return std::ranges::any_of(checked.benchmarks, [&](const CheckedBenchmark& benchmark) {
    return benchmark.verdict == verdict;
  });
}

} // namespace

bool was_measured(const CheckedBenchmark& benchmark) {
  return benchmark.treatment == Treatment::Audited ||
         (benchmark.treatment == Treatment::Measured && benchmark.verdict != Verdict::NotMeasured);
}

// An audit asks how good the prediction is: that it found no answer leaves the commit's open
// questions as they are.
bool is_open(const CheckedBenchmark& benchmark) {
  return benchmark.treatment == Treatment::NotReached ||
         (benchmark.treatment == Treatment::Measured &&
          (benchmark.verdict == Verdict::Inconclusive ||
           benchmark.verdict == Verdict::NotMeasured));
}

int exit_status(const CheckedCommit& checked) {
  if (has(checked, Verdict::Regressed))
    return 1;
  if (has(checked, Verdict::Failed))
    return 2;
  const bool measured = std::ranges::any_of(checked.benchmarks, was_measured);
  const bool open = std::ranges::any_of(checked.benchmarks, is_open);
  if (checked.benchmarks.empty() || (open && !measured))
    return 4;
  return open ? 3 : 0;
}

std::string_view name(Treatment treatment) {
  switch (treatment) {
  case Treatment::Measured:
    return "measured";
  case Treatment::Audited:
    return "audited";
  case Treatment::Dismissed:
    return "dismissed";
  case Treatment::NotReached:
    return "not reached";
  }
  return "unknown";
}

std::string_view name(CodeChange change) {
  switch (change) {
  case CodeChange::None:
    return "none";
  case CodeChange::Changed:
    return "changed";
  case CodeChange::New:
    return "new";
  case CodeChange::Deleted:
    return "deleted";
  case CodeChange::Renamed:
    return "renamed";
  case CodeChange::Data:
    return "data";
  }
  return "unknown";
}

} // namespace dragnet
