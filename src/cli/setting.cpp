#include "cli/setting.h"

#include "base/log_end.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/text.h"
#include "console/describe.h"
#include "history/repository.h"
#include "lab/cases.h"
#include "lab/laboratory.h"
#include "lab/selection.h"
#include "lab/state.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/metric.h"
#include "model/run.h"
#include "project/project.h"
#include "store/sqlite_store.h"
#include "store/store.h"

#include <filesystem>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::cli {

std::string version() {
  return std::string(console::version());
}

Result<project::Project> open_project(const Surroundings& surroundings) {
  const auto root = TRY(project::find_root(surroundings.folder));
  return project::read_project(root);
}

Result<std::unique_ptr<store::Store>> open_store(const project::Project& project) {
  const auto file = lab::state_of(project.root).store();
  std::error_code problem;
  if (!std::filesystem::exists(file, problem))
    return std::unique_ptr<store::Store>();
  return store::open_sqlite(file);
}

Result<std::vector<Commit>> commits_named(const history::Repository& repository,
                                          const std::vector<std::string>& names,
                                          Progress& progress) {
  std::vector<Commit> commits;
  commits.reserve(names.size());
  for (const auto& name : names)
    commits.push_back(TRY(repository.commit(name)));
  if (!commits.empty())
    return commits;
  const auto changes = repository.has_changes();
  if (changes && *changes)
    progress.warn("uncommitted changes are not measured: HEAD is what counts");
  commits.push_back(TRY(repository.commit("HEAD")));
  return commits;
}

Error does_not_build(const Build& build, const project::Project& project) {
  const auto file = lab::state_of(project.root).places().logs / (build.key + ".log");
  return Error{fmt::format("{} ({}) does not build: its build command {}{}",
                           build.commit.id.brief(), build.commit.subject,
                           build.outcome == BuildOutcome::TimedOut ? "took too long" : "failed",
                           log_end(build.log)),
               fmt::format("the whole log is in {}; --again builds it once more", file.string())};
}

Result<lab::Cases> cases_at(lab::Laboratory& lab, const std::vector<std::string>& wanted,
                            const Commit& commit) {
  const auto entries = lab::entries_for(lab.project().benchmarks, wanted);
  if (std::ranges::all_of(entries, [](const Benchmark& b) { return b.suite == Suite::None; }))
    return lab.cases(Build{}, wanted);
  const auto build = TRY(lab.build(commit));
  if (build.outcome != BuildOutcome::Built)
    return does_not_build(build, lab.project());
  return lab.cases(build, wanted);
}

Result<std::vector<std::string>> wanted_metrics(const Words& words) {
  const auto names = metric_names();
  for (const auto& metric : words.values("metric"))
    if (!is_known_metric(metric))
      return words.misuse(fmt::format("there is no metric '{}'", metric),
                          did_you_mean(metric, names));
  return words.values("metric");
}

Result<double> wanted_effect(const Words& words) {
  return words.has("smallest-effect") ? words.share("smallest-effect") : Result<double>(0.0);
}

Option benchmark_option() {
  return {.letter = "b",
          .name = "benchmark",
          .value = "NAME",
          .meaning = "only this benchmark, suite, or all that match a pattern with *",
          .repeated = true,
          .completes = Completes::Benchmark};
}

Option again_option() {
  return {.name = "again", .meaning = "measure anew although results are kept"};
}

Option build_budget_option() {
  return {.name = "budget",
          .value = "TIME",
          .meaning = "how long to build and measure at most; what is kept costs nothing",
          .standard = "10m"};
}

Option format_option(std::vector<std::string> formats) {
  return {.name = "format",
          .value = "FORMAT",
          .meaning = "the form of the answer",
          .standard = formats.front(),
          .choices = std::move(formats),
          .completes = Completes::Choice};
}

} // namespace dragnet::cli
