// The laboratory's part that looks into programs: their functions, and what benchmarks execute of
// them.

#include "base/result.h"
#include "build/builder.h"
#include "lab/functions.h"
#include "lab/laboratory.h"
#include "lab/profiling.h"
#include "lab/recipe.h"
#include "lab/together.h"
#include "lab/watching.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "model/stacks.h"
#include "store/archive.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

Result<std::vector<BenchmarkOn>> without_profile(Laboratory& laboratory,
                                                 std::span<const BenchmarkOn> wanted) {
  std::vector<BenchmarkOn> missing;
  for (const auto& one : wanted) {
    const auto definition = TRY(laboratory.definition_key(one.benchmark));
    const auto known = TRY(laboratory.archive().instructions({one.build.key, definition}));
    if (!known)
      missing.push_back(one);
  }
  return missing;
}

} // namespace

std::string Laboratory::build_key(const Commit& commit) const {
  return build::build_key(commit, recipe_of(project_, repository_));
}

Result<std::vector<FunctionTable>> Laboratory::functions(const Build& build) const {
  return functions_of(project_.build, build);
}

bool Laboratory::same_programs(const Build& a, const Build& b) const {
  return load_the_same(project_.build, a.folder, b.folder);
}

Result<Difference> Laboratory::difference(const Build& old_build, const Build& new_build) const {
  return difference_of(project_.build, old_build, new_build, Inlined::Leave);
}

Result<Difference> Laboratory::full_difference(const Build& old_build,
                                               const Build& new_build) const {
  return difference_of(project_.build, old_build, new_build, Inlined::Find);
}

std::map<FunctionId, SourcePlace>
Laboratory::places(const Build& build, const std::vector<FunctionId>& functions) const {
  return places_of(build, state_.places().checkout, functions);
}

// Reads the functions of a build once, for all its benchmarks.
Result<const std::vector<FunctionTable>*> Laboratory::tables_of(const Build& build) {
  auto& tables = tables_[build.key];
  if (tables.empty())
    tables = TRY(functions(build));
  return &tables;
}

Result<> Laboratory::keep(const BenchmarkOn& profiled, const Profile& profile) {
  ++ran(profiled.build, profiled.benchmark);
  return archive_->keep({profiled.build.key, TRY(definition_key(profiled.benchmark))}, profile);
}

Result<Profile> Laboratory::profile(const Build& build, const Benchmark& benchmark) {
  const auto definition = TRY(definition_key(benchmark));
  if (memory_ == Memory::Use)
    if (auto kept = TRY(archive_->profile({build.key, definition})))
      return std::move(*kept);
  progress_.now(fmt::format("profiling {} on {}", benchmark.name, build.commit.id.brief()), -1);
  const auto* tables = TRY(tables_of(build));
  auto profile = TRY(take_profile(*executor_, state_,
                                  {project_, benchmark, build.folder, Method::Timed, {}}, *tables));
  TRY(keep({build, benchmark}, profile));
  progress_.finished(fmt::format("profiled {} on {}", benchmark.name, build.commit.id.brief()));
  return profile;
}

Result<> Laboratory::profile_together(std::span<const BenchmarkOn> wanted, double until) {
  if (memory_ != Memory::Use)
    return success(); // what is kept would not be used
  const auto missing = TRY(without_profile(*this, wanted));
  if (missing.size() < 2)
    return success();
  std::vector<ProfiledTrial> trials;
  for (const auto& [build, benchmark] : missing) {
    const auto* tables = TRY(tables_of(build));
    trials.push_back({{project_, benchmark, build.folder, Method::Timed, {}}, *tables});
  }
  progress_.now(fmt::format("profiling {} benchmarks side by side", trials.size()), -1);
  const auto profiles = take_profiles(state_, trials, until);
  for (std::size_t i = 0; i < profiles.size(); ++i)
    if (const auto& taken = profiles[i])
      TRY(keep(missing[i], *taken));
  progress_.finished(fmt::format("profiled {} benchmarks", trials.size()));
  return success();
}

// Runs that were watched in a way of the user's choice are no answer to other questions.
Result<std::vector<WatchedRun>> Laboratory::watched_so(const store::ProfileKey& key) {
  auto runs = TRY(archive_->watched(key));
  std::erase_if(runs, [&](const WatchedRun& run) { return run.chosen_way != chosen_word(way_); });
  return runs;
}

Result<std::vector<WatchedRun>> Laboratory::watched(const Build& build,
                                                    const Benchmark& benchmark) {
  const store::ProfileKey key{build.key, TRY(definition_key(benchmark))};
  if (memory_ == Memory::MeasureAgain && begun_anew_.insert(key.build + key.benchmark).second)
    TRY(archive_->forget_watched(key));
  return watched_so(key);
}

Result<WatchedRun> Laboratory::watch(const Build& build, const Benchmark& benchmark) {
  const store::ProfileKey key{build.key, TRY(definition_key(benchmark))};
  const auto* tables = TRY(tables_of(build));
  auto watched =
      TRY(watch_once(*executor_, state_, {project_, benchmark, build.folder, Method::Timed, {}},
                     *tables, {way_, &code_}));
  TRY(archive_->keep(key, watched));
  return watched;
}

Result<std::size_t> Laboratory::watched_count(const Commit& commit, const Benchmark& benchmark) {
  const store::ProfileKey key{build_key(commit), TRY(definition_key(benchmark))};
  if (TRY(archive_->watched_count(key)) == 0)
    return std::size_t{0};
  return TRY(watched_so(key)).size();
}

Result<std::optional<Profile>> Laboratory::kept_profile(const Commit& commit,
                                                        const Benchmark& benchmark) {
  return archive_->profile({build_key(commit), TRY(definition_key(benchmark))});
}

Result<std::vector<Commit>> Laboratory::profiled(const std::vector<Commit>& commits,
                                                 const Benchmark& benchmark) {
  const auto benchmark_key = TRY(definition_key(benchmark));
  const auto trees = TRY(archive_->profiled_trees(benchmark_key));
  std::vector<Commit> found;
  for (const Commit& commit : commits) {
    if (std::ranges::find(trees, commit.tree) == trees.end())
      continue;
    // The tree may have been profiled in a build of another recipe.
    if (TRY(archive_->instructions({build_key(commit), benchmark_key})))
      found.push_back(commit);
  }
  return found;
}

} // namespace dragnet::lab
