#include "cli/html.h"

#include "base/clock.h"
#include "base/result.h"
#include "check/kept_series.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "project/project.h"
#include "report/contents.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

// Commits before that of the report whose values are shown.
constexpr std::size_t most_commits = 300;

// What is measured beside them would hide them.
std::vector<std::string> judged_metrics(const project::Project& project) {
  std::set<std::string> metrics;
  for (const Benchmark& benchmark : project.benchmarks)
    metrics.insert(benchmark.metrics.begin(), benchmark.metrics.end());
  return {metrics.begin(), metrics.end()};
}

} // namespace

Result<report::Contents> contents_at(lab::Laboratory& lab, const Commit& commit,
                                     std::string check) {
  using Line = history::Repository::Line;
  check::KeptRequest request;
  request.commits = TRY(lab.repository().ancestors(commit.id.text, most_commits, Line::First));
  std::ranges::reverse(request.commits);
  request.order = "along first parents";
  request.metrics = judged_metrics(lab.project());
  return report::Contents{.project = lab.project().name,
                          .machine = lab.machine(),
                          .made = milliseconds_since_1970(),
                          .check = std::move(check),
                          .timeline =
                              TRY(check::follow_kept(lab.store(), request, lab.machine().key))};
}

} // namespace dragnet::cli
