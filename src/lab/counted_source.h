// Builds that count what they execute, by Clang, and what their source says.
#pragma once

#include "base/result.h"
#include "build/builder.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/run.h"
#include "model/source.h"
#include "run/executor.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::lab {

/// Where the facts of a build's source, and its compile database, lie in its folder.
std::filesystem::path facts_file(const std::filesystem::path& build_folder);
std::filesystem::path database_file(const std::filesystem::path& build_folder);

/// The recipe of a build whose programs count, and which reads its source at its end. An Error
/// where this installation cannot read source.
Result<build::Recipe> counting_recipe(build::Recipe plain, const State& state);

/// The recipe that only reads the source of a commit, as a counted build is compiled; files that
/// the commit added since, as those that are most alike.
Result<build::Recipe> reading_recipe(build::Recipe plain, const State& state, const Build& counted);

/// The facts that a build left.
Result<SourceFacts> read_facts(const std::filesystem::path& build_folder);

/// Where the source of a build lay, and which of its files are programs or libraries.
struct CountedPlaces {
  std::filesystem::path root;
  std::vector<std::filesystem::path> binaries;
};

/// Runs a trial on a counted build once; the files of counters that it left in a folder.
Result<std::vector<std::string>> take_counters(run::Executor& executor, const State& state,
                                               const Trial& trial,
                                               const std::filesystem::path& folder);

/// The raw counters of one test, and the file for what they say.
struct CountersOfTest {
  std::string test;
  std::vector<std::string> raw;
  std::filesystem::path output;
};

/// What tests executed by the source, by their raw counters; all at once, because the facts are
/// read only once then.
Result<std::vector<SourceProfile>> joined_counts(const std::filesystem::path& build_folder,
                                                 const CountedPlaces& places,
                                                 const std::vector<CountersOfTest>& tests);

/// What calls of the library cost on this machine, measured where that is not kept.
Result<LibraryCosts> library_costs(const State& state);

} // namespace dragnet::lab
