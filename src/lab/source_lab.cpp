#include "lab/source_lab.h"

#include "base/files.h"
#include "base/function_name.h"
#include "base/log_end.h"
#include "base/result.h"
#include "build/builder.h"
#include "facts/counts.h"
#include "facts/instructions.h"
#include "lab/counted_source.h"
#include "lab/functions.h"
#include "lab/laboratory.h"
#include "lab/profiling.h"
#include "lab/recipe.h"
#include "lab/state.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/profile.h"
#include "model/run.h"
#include "model/source.h"

#include <fmt/core.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

namespace fs = std::filesystem;

build::Recipe plain_recipe(const Laboratory& laboratory) {
  return recipe_of(laboratory.project(), laboratory.repository());
}

// Without those of the shell and of the loader.
double own_instructions(const Profile& profile) {
  auto all = static_cast<double>(profile.instructions);
  for (const ForeignLibrary& library : profile.libraries) {
    const std::string name = fs::path(library.path).filename().string();
    if (name.ends_with("sh") || name.starts_with("ld-"))
      all -= static_cast<double>(library.instructions);
  }
  return all;
}

// What facts call a function of a binary; those of one name and file are told apart by no number.
std::string source_name(const std::string& name) {
  const bool is_library =
      name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZNKSt");
  return is_library ? short_name(name) : name.substr(0, name.find('#'));
}

} // namespace

Result<Build> SourceLab::counted_build(const Commit& commit) {
  const auto recipe = TRY(counting_recipe(plain_recipe(laboratory_), laboratory_.state()));
  return make(commit, recipe, fmt::format("build {} so that it counts", commit.id.brief()));
}

Result<SourceFacts> SourceLab::facts(const Build& counted) {
  return read_facts(counted.folder);
}

Result<SourceFacts> SourceLab::facts_like(const Build& counted, const Commit& commit) {
  const auto recipe = TRY(reading_recipe(plain_recipe(laboratory_), laboratory_.state(), counted));
  const auto build =
      TRY(make(commit, recipe, fmt::format("read the source of {}", commit.id.brief())));
  return read_facts(build.folder);
}

// Such builds are known by what they leave; the store is for those that are measured.
Result<Build> SourceLab::known(const Commit& commit, const build::Recipe& recipe) const {
  Build build;
  build.key = build::build_key(commit, recipe);
  build.commit = commit;
  build.folder = (laboratory_.state().places().builds / build.key).string();
  return build;
}

Result<Build> SourceLab::make(const Commit& commit, const build::Recipe& recipe,
                              const std::string& doing) {
  const State& state = laboratory_.state();
  auto kept = TRY(known(commit, recipe));
  const auto is_made = [&] {
    std::error_code problem;
    return laboratory_.memory() == Memory::Use && fs::exists(facts_file(kept.folder), problem);
  };
  if (is_made())
    return kept;
  laboratory_.progress().now("about to " + doing, -1);
  const auto lock = TRY(FileLock::wait(state.build_lock()));
  // Another process may have made it while this one waited.
  if (is_made())
    return kept;
  auto build = TRY(build::make_build(laboratory_.repository(), laboratory_.executor(),
                                     state.places(), recipe, commit));
  if (build.outcome != BuildOutcome::Built)
    return Error{
        fmt::format("cannot {}{}", doing, log_end(build.log)),
        fmt::format("the whole log: {}", (state.places().logs / (build.key + ".log")).string())};
  return build;
}

Result<fs::path> SourceLab::counts_file(const Build& counted, const Benchmark& benchmark) {
  const auto key = TRY(laboratory_.definition_key(benchmark));
  return fs::path(counted.folder) / "dragnet-counts" / (key + ".counts");
}

Result<CountedPlaces> SourceLab::places_of(const Build& counted) const {
  CountedPlaces places{.root = laboratory_.state().places().checkout, .binaries = {}};
  if (const auto inside = plain_recipe(laboratory_).subfolder; !inside.empty())
    places.root /= inside;
  for (const std::string& binary : TRY(binaries_of(laboratory_.project().build, counted.folder)))
    places.binaries.push_back(fs::path(counted.folder) / binary);
  return places;
}

Result<std::vector<Benchmark>> SourceLab::uncounted(const Build& counted,
                                                    const std::vector<Benchmark>& benchmarks) {
  std::vector<Benchmark> missing;
  std::error_code problem;
  for (const Benchmark& benchmark : benchmarks) {
    const auto file = TRY(counts_file(counted, benchmark));
    if (laboratory_.memory() != Memory::Use || !fs::exists(file, problem))
      missing.push_back(benchmark);
  }
  return missing;
}

Result<std::vector<SourceProfile>> SourceLab::counts(const Build& counted,
                                                     const std::vector<Benchmark>& benchmarks) {
  if (const auto missing = TRY(uncounted(counted, benchmarks)); !missing.empty())
    TRY(take_missing(counted, missing));
  std::vector<SourceProfile> profiles;
  for (const Benchmark& benchmark : benchmarks) {
    const auto file = TRY(counts_file(counted, benchmark));
    const auto text = TRY(read_file(file));
    profiles.push_back(TRY_WHILE(file.string(), facts::parse_profile(text)));
  }
  return profiles;
}

// Counts a test and leaves the raw counters in a folder.
Result<CountersOfTest> SourceLab::counters_of(const Build& counted, const Benchmark& benchmark,
                                              const fs::path& folder) {
  laboratory_.progress().now(
      fmt::format("counting {} on {}", benchmark.name, counted.commit.id.brief()), -1);
  TRY(make_folder(folder));
  return CountersOfTest{
      .test = benchmark.name,
      .raw = TRY(take_counters(
          laboratory_.executor(), laboratory_.state(),
          {laboratory_.project(), benchmark, counted.folder, Method::Timed, {}}, folder)),
      .output = folder / "joined"};
}

Result<> SourceLab::take_missing(const Build& counted, const std::vector<Benchmark>& missing) {
  const auto scratch = TRY(ScratchFolder::make(laboratory_.state().scratch()));
  std::vector<CountersOfTest> tests;
  tests.reserve(missing.size());
  for (const Benchmark& benchmark : missing)
    tests.push_back(
        TRY(counters_of(counted, benchmark, scratch.path() / std::to_string(tests.size()))));
  const auto places = TRY(places_of(counted));
  auto profiles = TRY(joined_counts(counted.folder, places, tests));
  const auto prices = TRY(library());
  tables_.clear();
  for (std::size_t i = 0; i < missing.size(); ++i) {
    facts::set_prices(profiles[i], prices);
    take_instructions(counted, missing[i], profiles[i]);
    TRY(keep(counted, missing[i], profiles[i]));
  }
  return success();
}

Result<> SourceLab::keep(const Build& counted, const Benchmark& benchmark,
                         const SourceProfile& profile) {
  const auto file = TRY(counts_file(counted, benchmark));
  TRY(make_folder(file.parent_path()));
  return write_file(file, facts::to_text(profile));
}

// What the test executes in all and by function. Costs stay operations of the source where it
// cannot be counted, or where the test decides itself how long it runs.
void SourceLab::take_instructions(const Build& counted, const Benchmark& benchmark,
                                  SourceProfile& into) {
  Benchmark quiet = benchmark;
  quiet.environment["LLVM_PROFILE_FILE"] = "/dev/null";
  if (tables_.empty())
    if (auto tables = laboratory_.functions(counted))
      tables_ = *std::move(tables);
  if (measures_itself(benchmark.suite) || tables_.empty())
    return;
  const auto profile =
      take_profile(laboratory_.executor(), laboratory_.state(),
                   {laboratory_.project(), quiet, counted.folder, Method::Timed, {}}, tables_);
  if (!profile || profile->counting == Counting::Sampled)
    return;
  into.instructions = own_instructions(*profile);
  facts::Instructions executed;
  for (const FunctionCounts& counts : profile->functions)
    executed[source_name(counts.function.name)] += static_cast<double>(counts.instructions);
  facts::set_instructions(into, executed);
}

Result<std::optional<Build>> SourceLab::kept_counted(const Commit& commit,
                                                     const std::vector<Benchmark>& benchmarks) {
  const auto recipe = counting_recipe(plain_recipe(laboratory_), laboratory_.state());
  if (!recipe)
    return std::optional<Build>(); // This installation cannot read source.
  auto build = TRY(known(commit, *recipe));
  std::error_code problem;
  if (!fs::exists(facts_file(build.folder), problem))
    return std::optional<Build>();
  for (const Benchmark& benchmark : benchmarks) {
    const auto file = TRY(counts_file(build, benchmark));
    if (!fs::exists(file, problem))
      return std::optional<Build>();
  }
  return std::optional(std::move(build));
}

Result<LibraryCosts> SourceLab::library() const {
  return library_costs(laboratory_.state());
}

} // namespace dragnet::lab
