// What several commands do at their beginning: find the project, name our version, offer the same
// options.
#pragma once

#include "base/result.h"
#include "cli/real_commands.h" // IWYU pragma: export
#include "console/command.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "project/project.h"
#include "store/store.h"

#include <memory>
#include <string>
#include <vector>

namespace dragnet::cli {

/// The version of this program.
std::string version();

/// The project that the user's folder belongs to.
Result<project::Project> open_project(const Surroundings& surroundings);

/// The project's store, for reading what is known: absent when nothing was ever measured.
Result<std::unique_ptr<store::Store>> open_store(const project::Project& project);

/// The commits that the user named, or HEAD; warns when HEAD lacks uncommitted changes.
Result<std::vector<Commit>> commits_named(const history::Repository& repository,
                                          const std::vector<std::string>& names,
                                          Progress& progress);

/// The error for a commit that does not build, with the end of the log and where the whole is.
Error does_not_build(const Build& build, const project::Project& project);

/// The benchmarks that are wanted, suites taken apart into their cases at a commit, which is built
/// for that where one is a suite.
Result<lab::Cases> cases_at(lab::Laboratory& lab, const std::vector<std::string>& wanted,
                            const Commit& commit);

/// The metrics of --metric; misuse where one is unknown.
Result<std::vector<std::string>> wanted_metrics(const Words& words);

/// The share of --smallest-effect; 0 where it is not given.
Result<double> wanted_effect(const Words& words);

Option benchmark_option();
Option again_option();
Option build_budget_option(); ///< of commands that build as they go
Option format_option(std::vector<std::string> formats);

} // namespace dragnet::cli
