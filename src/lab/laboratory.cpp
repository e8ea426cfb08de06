#include "lab/laboratory.h"

#include "base/files.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "build/builder.h"
#include "history/repository.h"
#include "lab/cases.h"
#include "lab/definition.h"
#include "lab/recipe.h"
#include "lab/selection.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/lab.h"
#include "model/run.h"
#include "project/project.h"
#include "run/executor.h"
#include "run/machine.h"
#include "store/archive.h"
#include "store/sqlite_store.h"
#include "store/store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::lab {
struct Laboratory::Parts {
  project::Project project;
  history::Repository repository;
  State state;
  std::unique_ptr<store::Store> store;
  std::unique_ptr<store::Archive> archive;
  std::unique_ptr<run::Executor> executor;
  Memory memory;
  Progress* progress;
};

Laboratory::Laboratory(Parts parts)
    : project_(std::move(parts.project)), repository_(std::move(parts.repository)),
      state_(std::move(parts.state)), store_(std::move(parts.store)),
      archive_(std::move(parts.archive)), executor_(std::move(parts.executor)),
      machine_(run::this_machine()), counter_(run::instruction_counter()), memory_(parts.memory),
      progress_(*parts.progress) {}

Result<std::unique_ptr<Laboratory>> Laboratory::open(project::Project project, Memory memory,
                                                     Progress& progress) {
  auto repository = TRY(history::Repository::find(project.root));
  auto state = TRY(prepare_state(project.root));
  auto store = TRY(store::open_sqlite(state.store()));
  auto archive = TRY(store::open_sqlite_archive(state.store()));
  TRY(sweep(state, repository));
  auto executor = std::make_unique<run::PatientExecutor>();
  std::unique_ptr<Laboratory> made(
      new Laboratory({std::move(project), std::move(repository), std::move(state), std::move(store),
                      std::move(archive), std::move(executor), memory, &progress}));
  TRY(made->store_->keep(made->machine_));
  return made;
}

Result<std::optional<Build>> Laboratory::kept_build(const Commit& commit, const std::string& key) {
  auto kept = TRY(store_->build(key));
  std::error_code problem;
  const bool usable = kept && (kept->outcome != BuildOutcome::Built ||
                               std::filesystem::exists(kept->folder, problem));
  if (!usable)
    return std::optional<Build>();
  kept->commit = commit;
  TRY(store_->keep(commit));
  return kept;
}

Result<Build> Laboratory::build(const Commit& commit) {
  return build_by(commit, recipe_of(project_, repository_));
}

Result<Build> Laboratory::build_by(const Commit& commit, const build::Recipe& recipe) {
  const std::string key = build::build_key(commit, recipe);
  if (auto kept = TRY(kept_build(commit, key))) {
    // A failure may have had causes outside the commit: asked to do things again, it is tried
    // again.
    if (memory_ == Memory::Use || kept->outcome == BuildOutcome::Built)
      return std::move(*kept);
    TRY(store_->forget_build(key));
  }
  progress_.now(fmt::format("waiting to build {}", commit.id.brief()), -1);
  const auto lock = TRY(FileLock::wait(state_.build_lock()));
  // Another process may have built it while we waited.
  if (auto kept = TRY(kept_build(commit, key)))
    return std::move(*kept);
  return build_now(commit, recipe, key);
}

Result<Build> Laboratory::build_now(const Commit& commit, const build::Recipe& recipe,
                                    const std::string& key) {
  progress_.now(fmt::format("building {} ({})", commit.id.brief(), commit.subject), -1);
  auto build =
      TRY_WHILE(fmt::format("cannot build {}", commit.id.brief()),
                build::make_build(repository_, *executor_, state_.places(), recipe, commit));
  build.key = key;
  build.purpose = recipe.purpose;
  TRY(store_->keep(build));
  progress_.finished(fmt::format("{} {} in {}",
                                 build.outcome == BuildOutcome::Built ? "built" : "could not build",
                                 commit.id.brief(), format_duration(Seconds(build.seconds))));
  return build;
}

Result<Cases> Laboratory::cases(const Build& build, const std::vector<std::string>& wanted) {
  Cases cases;
  for (const auto& entry : entries_for(project_.benchmarks, wanted)) {
    if (entry.suite == Suite::None) {
      cases.benchmarks.push_back(entry);
      continue;
    }
    const Trial trial{project_, entry, build.folder, Method::Timed, {}};
    const auto names = TRY(list_cases(*executor_, state_, trial));
    std::ranges::move(cases_of(entry, names), std::back_inserter(cases.benchmarks));
  }
  TRY(keep_wanted(cases.benchmarks, wanted));
  return cases;
}

std::vector<std::string> Cases::names() const {
  std::vector<std::string> names;
  names.reserve(benchmarks.size());
  for (const auto& benchmark : benchmarks)
    names.push_back(benchmark.name);
  return names;
}

Method Laboratory::method_for(const std::string& metric) const {
  return metric == "instructions" && !counter_ ? Method::Counted : Method::Timed;
}

Result<std::string> Laboratory::definition_key(const Benchmark& benchmark) {
  auto found = definitions_.find(benchmark.name);
  if (found == definitions_.end()) {
    const auto definition = TRY(define(project_, benchmark));
    TRY(store_->keep(definition));
    found = definitions_.emplace(benchmark.name, definition.key).first;
  }
  return found->second;
}

Result<store::RunKey> Laboratory::key_of(const Build& build, const Benchmark& benchmark,
                                         Method method) {
  auto benchmark_key = TRY(definition_key(benchmark));
  return store::RunKey{build.key, std::move(benchmark_key), machine_.key, method};
}

Result<Run> Laboratory::run_once(const Build& build, const Benchmark& benchmark, Method method) {
  return carry_out(*executor_, state_, {project_, benchmark, build.folder, method, counter_});
}

int& Laboratory::ran(const Build& build, const Benchmark& benchmark) {
  return ran_[build.key + benchmark.name];
}

// A run that was profiled brings files into memory like any other.
Result<> Laboratory::warm_up(const Build& build, const Benchmark& benchmark, Method method) {
  // Counts do not depend on caches, and suites that measure warm up by themselves.
  if (method == Method::Counted || measures_itself(benchmark.suite))
    return success();
  for (int& times = ran(build, benchmark); times < project_.warm_up; ++times)
    TRY(run_once(build, benchmark, method));
  return success();
}

Result<Run> Laboratory::measure_once(const Build& build, const Benchmark& benchmark,
                                     Method method) {
  const auto key = TRY(key_of(build, benchmark, method));
  const auto lock = TRY(FileLock::wait(state_.measure_lock()));
  TRY(warm_up(build, benchmark, method));
  Run run = TRY(run_once(build, benchmark, method));
  run.id = TRY(store_->keep(key, run, {}));
  return run;
}

Result<std::vector<Run>> Laboratory::runs(const Build& build, const Benchmark& benchmark,
                                          Method method, std::size_t count) {
  const auto key = TRY(key_of(build, benchmark, method));
  auto runs = memory_ == Memory::Use ? TRY(store_->runs(key)) : std::vector<Run>();
  // What does not work once will not work the next time either; the outcome is kept.
  while (runs.size() < count && (runs.empty() || runs.back().finished())) {
    progress_.now(fmt::format("{}: run {} of {}", benchmark.name, runs.size() + 1, count),
                  static_cast<double>(runs.size()) / static_cast<double>(count));
    runs.push_back(TRY(measure_once(build, benchmark, method)));
  }
  return runs;
}

Result<std::string> Laboratory::duel_key(const Duel& duel) {
  const auto base = TRY(key_of(duel.base, duel.benchmark, duel.method));
  return store::DuelKey{base, duel.candidate.key}.text();
}

Result<std::int64_t> Laboratory::series_of(const std::string& duel) {
  const auto found = series_.find(duel);
  if (found != series_.end())
    return found->second;
  const auto last = TRY(store_->last_series(duel));
  const bool anew = memory_ == Memory::MeasureAgain && TRY(store_->next_pair(duel, last)) > 0;
  return series_[duel] = last + (anew ? 1 : 0);
}

Result<std::vector<Pair>> Laboratory::kept_pairs(const Duel& duel) {
  const auto key = TRY(duel_key(duel));
  const auto series = TRY(series_of(key));
  return store_->pairs(key, series);
}

Result<Run> Laboratory::run_side(const Duel& duel, store::Place place) {
  const Build& build = place.side == store::Side::Base ? duel.base : duel.candidate;
  const auto key = TRY(key_of(build, duel.benchmark, duel.method));
  Run run = TRY(run_once(build, duel.benchmark, duel.method));
  run.id = TRY(store_->keep(key, run, place));
  return run;
}

Result<Pair> Laboratory::measure_pair(const Duel& duel, Order order) {
  const auto lock = TRY(FileLock::wait(state_.measure_lock()));
  const auto key = TRY(duel_key(duel));
  TRY(warm_up(duel.base, duel.benchmark, duel.method));
  TRY(warm_up(duel.candidate, duel.benchmark, duel.method));
  store::Place place{key, TRY(series_of(key)), 0, store::Side::Base};
  place.pair = TRY(store_->next_pair(key, place.series));
  Pair pair;
  pair.number = place.pair;
  for (const bool first : {true, false}) {
    place.side = first == (order == Order::BaseFirst) ? store::Side::Base : store::Side::Candidate;
    (place.side == store::Side::Base ? pair.base : pair.candidate) = TRY(run_side(duel, place));
  }
  return pair;
}

} // namespace dragnet::lab
