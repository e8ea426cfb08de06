// Makes programs of a commit: a clean checkout, the user's build command in a fixed environment, a
// folder for the result.
#pragma once

#include "base/result.h"
#include "base/units.h"
#include "history/repository.h"
#include "model/run.h"
#include "run/executor.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::build {

/// How builds are made.
struct Recipe {
  std::string command;                  ///< for sh
  std::vector<std::string> environment; ///< names of further variables of the user's that it sees
  Seconds limit{3600};
  /// Of the checkout, where the project's root is; empty for its top.
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::filesystem::path subfolder{};
  /// A folder with stand-ins for compilers that the build is to find first; empty for none.
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::filesystem::path stand_ins{};
  Purpose purpose = Purpose::Plain; ///< what the stand-ins compile for
};

/// Where builds are made.
struct Places {
  std::filesystem::path
      checkout; ///< the same for every commit, so that paths in the programs are the same too
  std::filesystem::path builds; ///< one folder a build, kept
  std::filesystem::path logs;   ///< one file a build, kept
};

/// What the build command sees as environment, less what names the build itself; it belongs to the
/// build's key.
std::vector<std::string> build_environment(const Recipe& recipe);

/// The key of a commit's build: its tree, the recipe, the environment and the compilers.
std::string build_key(const Commit& commit, const Recipe& recipe);

/// Builds a commit in any case. That it does not build is an outcome; an Error means that it could
/// not even be tried. The caller holds a lock on the places.
Result<Build> make_build(const history::Repository& repository, run::Executor& executor,
                         const Places& places, const Recipe& recipe, const Commit& commit);

} // namespace dragnet::build
