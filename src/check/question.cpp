#include "check/question.h"

#include "base/result.h"
#include "lab/cases.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/run.h"

#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// A suite measures time by itself; what the process used as a whole says nothing about one of its
// cases.
std::vector<std::string> metrics_for(const Benchmark& benchmark,
                                     const std::vector<std::string>& wanted) {
  std::vector<std::string> metrics = wanted.empty() ? benchmark.metrics : wanted;
  if (measures_itself(benchmark.suite))
    std::erase_if(metrics,
                  [](const std::string& metric) { return metric != "wall" && metric != "cpu"; });
  return metrics;
}

// Benchmarks that both sides have; the others are noted.
CommonBenchmarks common(const lab::Cases& base, const lab::Cases& candidate) {
  const auto old_names = base.names();
  const auto new_names = candidate.names();
  CommonBenchmarks both;
  for (const auto& benchmark : candidate.benchmarks)
    if (holds(old_names, benchmark.name))
      both.benchmarks.push_back(benchmark);
    else
      both.notes.push_back(fmt::format(
          "{} is only in the new commit: there is nothing to compare it with.", benchmark.name));
  for (const auto& name : old_names)
    if (!holds(new_names, name))
      both.notes.push_back(fmt::format("{} is gone in the new commit.", name));
  return both;
}

void apply(const Wanted& wanted, CommonBenchmarks& common) {
  for (auto& benchmark : common.benchmarks) {
    benchmark.metrics = metrics_for(benchmark, wanted.metrics);
    if (wanted.smallest_effect > 0)
      benchmark.smallest_effect = {{"", wanted.smallest_effect}};
    if (benchmark.metrics.empty())
      common.notes.push_back(
          fmt::format("{} is left out: a suite's case has only wall and cpu.", benchmark.name));
  }
  std::erase_if(common.benchmarks,
                [](const Benchmark& benchmark) { return benchmark.metrics.empty(); });
}

} // namespace

Result<CommonBenchmarks> common_benchmarks(lab::Laboratory& laboratory, const Build& base,
                                           const Build& candidate, const Wanted& wanted) {
  const auto old_cases = TRY(laboratory.cases(base, wanted.benchmarks));
  const auto new_cases = TRY(laboratory.cases(candidate, wanted.benchmarks));
  CommonBenchmarks both = common(old_cases, new_cases);
  apply(wanted, both);
  return both;
}

} // namespace dragnet::check
