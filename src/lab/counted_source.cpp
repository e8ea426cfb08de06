#include "lab/counted_source.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "build/builder.h"
#include "facts/counts.h"
#include "facts/facts_file.h"
#include "facts/library_file.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/run.h"
#include "model/source.h"
#include "run/executor.h"
#include "run/job.h"

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

namespace fs = std::filesystem;

// CMake, Meson, autotools and make take compilers and flags from here. {} is the build command.
constexpr std::string_view counting =
    R"(export CC=clang-19 CXX=clang++-19 CMAKE_EXPORT_COMPILE_COMMANDS=ON
export CFLAGS="$CFLAGS -fprofile-instr-generate -fcoverage-mapping"
export CXXFLAGS="$CXXFLAGS -fprofile-instr-generate -fcoverage-mapping"
export LDFLAGS="$LDFLAGS -fprofile-instr-generate"
({}) || exit
database=$(find "$DRAGNET_BUILD" . -name compile_commands.json | head -n 1)
if [ -z "$database" ]; then
  echo "there is no compile_commands.json: CMake makes one with Ninja or Makefiles, Meson always, and for make: bear -- make"
  exit 1
fi
cp "$database" {}
)";

// {} are the version of the reader, what comes before, the program, the database and the cache.
constexpr std::string_view reading =
    ": reader {}\n{}{} facts {} \"$PWD\" {} \"$DRAGNET_BUILD/dragnet.facts\"\n";

// {} is the base: the sources that came since, as arguments of what follows.
constexpr std::string_view with_new_sources =
    "git diff -z --relative --name-only --no-renames --diff-filter=A {} HEAD -- '*.c' '*.cc' "
    "'*.cpp' '*.cxx' | "
    "xargs -0 ";

fs::path cache_folder(const State& state) {
  return state.folder / "source";
}

Result<std::string> reading_command(const State& state, const std::string& database,
                                    const std::string& before) {
  const auto program = TRY(helper_program("dragnet-source"));
  return fmt::format(reading, facts::reader_version, before, shell_quoted(program.string()),
                     database, shell_quoted(cache_folder(state).string()));
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem))
    files.push_back(entry.path().string());
  return files;
}

// Runs dragnet-source; its complaint and hint are the Error.
Result<> ask_reader(std::vector<std::string> words, const std::string& doing) {
  const auto program = TRY(helper_program("dragnet-source"));
  words.insert(words.begin(), program.string());
  const auto finished = TRY(run_command(words));
  if (finished.status == 0)
    return success();
  const auto said = split(finished.errors, '\n');
  return Error{fmt::format("cannot {}: {}", doing, said.front()), said.size() > 1 ? said[1] : ""};
}

} // namespace

fs::path facts_file(const fs::path& build_folder) {
  return build_folder / "dragnet.facts";
}

fs::path database_file(const fs::path& build_folder) {
  return build_folder / "dragnet-compile-commands.json";
}

Result<build::Recipe> counting_recipe(build::Recipe plain, const State& state) {
  const std::string database = "\"$DRAGNET_BUILD/dragnet-compile-commands.json\"";
  plain.command =
      fmt::format(counting, plain.command, database) + TRY(reading_command(state, database, ""));
  return plain;
}

Result<build::Recipe> reading_recipe(build::Recipe plain, const State& state,
                                     const Build& counted) {
  plain.command = TRY(reading_command(state, shell_quoted(database_file(counted.folder).string()),
                                      fmt::format(with_new_sources, counted.commit.id.text)));
  return plain;
}

Result<SourceFacts> read_facts(const fs::path& build_folder) {
  const auto text = TRY(read_file(facts_file(build_folder)));
  auto unit = TRY_WHILE(facts_file(build_folder).string(), facts::parse(text));
  return std::move(unit.facts);
}

Result<std::vector<std::string>> take_counters(run::Executor& executor, const State& state,
                                               const Trial& trial, const fs::path& folder) {
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  if (const auto unprepared = TRY(prepare(executor, trial, scratch)))
    return Error{fmt::format("cannot count {}: {}", trial.benchmark.name, unprepared->log), {}};
  run::Job job = profiled_job(trial, scratch);
  job.variables.push_back("LLVM_PROFILE_FILE=" + (folder / "%p-%m").string());
  const auto finished = TRY(executor.carry_out(job));
  if (finished.ending != run::Ending::Exited || finished.status != 0)
    return Error{fmt::format("cannot count {}: it failed in the counted build: {}",
                             trial.benchmark.name, finished.log),
                 {}};
  auto raw = files_in(folder);
  if (raw.empty())
    return Error{fmt::format("{} executes no program that counts", trial.benchmark.name),
                 "the build command must obey CC, CXX, CFLAGS, CXXFLAGS and LDFLAGS"};
  return raw;
}

Result<std::vector<SourceProfile>> joined_counts(const fs::path& build_folder,
                                                 const CountedPlaces& places,
                                                 const std::vector<CountersOfTest>& tests) {
  std::vector<std::string> words{"counts", facts_file(build_folder).string(), places.root.string()};
  for (const fs::path& binary : places.binaries)
    words.push_back(binary.string());
  for (const CountersOfTest& one : tests) {
    words.insert(words.end(), {"--", one.output.string()});
    words.insert(words.end(), one.raw.begin(), one.raw.end());
  }
  TRY(ask_reader(std::move(words), "read what the tests executed"));
  std::vector<SourceProfile> profiles;
  for (const CountersOfTest& one : tests) {
    const auto text = TRY(read_file(one.output));
    auto& profile = profiles.emplace_back(TRY(facts::parse_profile(text)));
    profile.test = one.test;
    profile.root = "main";
  }
  return profiles;
}

Result<LibraryCosts> library_costs(const State& state) {
  const fs::path file = cache_folder(state) / "library-costs";
  std::error_code problem;
  if (!fs::exists(file, problem)) {
    TRY(make_folder(file.parent_path()));
    TRY(ask_reader({"library", file.string()}, "measure what calls of the library cost"));
  }
  const auto text = TRY(read_file(file));
  return TRY_WHILE(file.string(), facts::parse_library(text));
}

} // namespace dragnet::lab
