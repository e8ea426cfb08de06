#include "build/builder.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "history/checkout.h"
#include "history/repository.h"
#include "model/commit.h"
#include "model/run.h"
#include "run/executor.h"
#include "run/job.h"

#include <filesystem>
#include <fmt/core.h>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::build {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t log_limit = 4194304;
constexpr std::size_t kept_log_end = 8192;

// What build tools commonly obey. HOME and ccache's settings are for finding things and do not
// change the programs.
const std::set<std::string>& passed_variables() {
  static const std::set<std::string> names{"PATH",
                                           "CC",
                                           "CXX",
                                           "CFLAGS",
                                           "CXXFLAGS",
                                           "CPPFLAGS",
                                           "LDFLAGS",
                                           "LDLIBS",
                                           "CMAKE_PREFIX_PATH",
                                           "CMAKE_GENERATOR",
                                           "PKG_CONFIG_PATH",
                                           "LD_LIBRARY_PATH",
                                           "CPATH",
                                           "LIBRARY_PATH"};
  return names;
}

std::string compiler_identity(const std::string& command) {
  const fs::path found = find_program(split(trim(command), ' ').front());
  if (found.empty())
    return "none";
  std::error_code problem;
  const fs::path real = fs::canonical(found, problem);
  struct stat status{};
  if (::stat(real.c_str(), &status) != 0)
    return real.string();
  return fmt::format("{} {} {}", real.string(), status.st_size, status.st_mtim.tv_sec);
}

std::string or_default(std::string value, std::string_view otherwise) {
  return value.empty() ? std::string(otherwise) : std::move(value);
}

// Compilers' caches work across commits only when they forget the names of our folders.
std::vector<std::string> variables_of_this_build(const fs::path& folder, const Commit& commit,
                                                 const Places& places) {
  return {fmt::format("DRAGNET_BUILD={}", folder.string()),
          fmt::format("DRAGNET_COMMIT={}", commit.id.text),
          fmt::format("HOME={}", or_default(environment_variable("HOME"), "/")),
          fmt::format("TMPDIR={}", or_default(environment_variable("TMPDIR"), "/tmp")),
          fmt::format("CCACHE_BASEDIR={}", places.checkout.parent_path().string()),
          "CCACHE_NOHASHDIR=1"};
}

BuildOutcome outcome_of(const run::Finished& finished) {
  if (finished.ending == run::Ending::TimedOut)
    return BuildOutcome::TimedOut;
  return finished.ending == run::Ending::Exited && finished.status == 0 ? BuildOutcome::Built
                                                                        : BuildOutcome::Failed;
}

// Compilers are found on PATH or named by variables; where one is named with its folder, its
// stand-in is told so.
std::string led_to(const fs::path& stand_ins, const std::string& name, const std::string& value) {
  if (stand_ins.empty())
    return value;
  if (name == "PATH")
    return stand_ins.string() + ":" + value;
  if ((name == "CC" || name == "CXX") && value.starts_with('/'))
    return (stand_ins / "dragnet-cc").string() + " " + value;
  return value;
}

// What tells the stand-ins what to compile for. Compilers' caches see the same command for each
// purpose; a file that they are told to look at, too, keeps the results apart.
std::vector<std::string> variables_for(const Recipe& recipe) {
  if (recipe.stand_ins.empty())
    return {};
  const std::string purpose(name(recipe.purpose));
  return {"DRAGNET_PURPOSE=" + purpose,
          "CCACHE_EXTRAFILES=" + (recipe.stand_ins / ("for-" + purpose)).string()};
}

std::string end_of(const std::string& log) {
  return log.size() <= kept_log_end ? log : log.substr(log.size() - kept_log_end);
}

} // namespace

std::vector<std::string> build_environment(const Recipe& recipe) {
  auto names = passed_variables();
  names.insert(recipe.environment.begin(), recipe.environment.end());
  std::vector<std::string> entries{"LANG=C.UTF-8", "TZ=UTC"};
  for (const auto& name : names)
    if (const std::string value = environment_variable(name); !value.empty())
      entries.push_back(fmt::format("{}={}", name, led_to(recipe.stand_ins, name, value)));
  return entries;
}

std::string build_key(const Commit& commit, const Recipe& recipe) {
  KeyMaker maker;
  maker.add("tree", commit.tree)
      .add("command", recipe.command)
      .add("subfolder", recipe.subfolder.string())
      .add("c compiler", compiler_identity(or_default(environment_variable("CC"), "cc")))
      .add("c++ compiler", compiler_identity(or_default(environment_variable("CXX"), "c++")));
  if (!recipe.stand_ins.empty())
    maker.add(name(recipe.purpose), compiler_identity((recipe.stand_ins / "dragnet-cc").string()));
  // PATH differs between a user's terminals; what it leads to is in the compilers' identity.
  for (const auto& entry : build_environment(recipe))
    if (!entry.starts_with("PATH="))
      maker.add("variable", entry);
  return maker.key();
}

Result<Build> make_build(const history::Repository& repository, run::Executor& executor,
                         const Places& places, const Recipe& recipe, const Commit& commit) {
  Build build;
  build.key = build_key(commit, recipe);
  build.commit = commit;
  const fs::path folder = places.builds / build.key;
  build.folder = folder.string();
  TRY(remove_tree(folder));
  TRY(make_folder(folder));
  TRY(make_folder(places.logs));
  const auto checkout = TRY(history::Checkout::make(repository, commit.id, places.checkout));
  run::Job job;
  job.words = {"/bin/sh", "-c", recipe.command};
  job.variables = build_environment(recipe);
  std::ranges::copy(variables_of_this_build(folder, commit, places),
                    std::back_inserter(job.variables));
  std::ranges::copy(variables_for(recipe), std::back_inserter(job.variables));
  job.folder = recipe.subfolder.empty() ? checkout.path() : checkout.path() / recipe.subfolder;
  job.limit = recipe.limit;
  job.log_limit = log_limit;
  const auto finished = TRY(executor.carry_out(job));
  build.outcome = outcome_of(finished);
  build.seconds = finished.wall_seconds;
  build.log = end_of(finished.log);
  TRY(write_file(places.logs / (build.key + ".log"), finished.log));
  return build;
}

} // namespace dragnet::build
