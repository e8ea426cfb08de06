// The configuration space of a project, and what each of its options does to a benchmark and its
// build.
#pragma once

#include "base/result.h"
#include "model/benchmark.h"
#include "model/configuration.h"
#include "project/project.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::project {

/// What one option of the space stands for: an option of the project, or one of its values.
struct Setting {
  std::size_t option = 0; ///< of the project
  std::string value;      ///< empty for an option that is on or off
};

struct OptionSpace {
  ConfigurationSpace space;
  std::vector<Setting> settings; ///< for each option of the space
};

/// The space that [[option]] and [constraints] describe. An Error where there are no options, or
/// names the line of a clause that cannot be read. Whether the clauses contradict each other is for
/// a solver to say.
Result<OptionSpace> option_space(const Project& project);

/// The options whose flags a benchmark has in its command, which can never be off there.
std::vector<Clause> written_in_command(const Project& project, const OptionSpace& options,
                                       const Benchmark& benchmark);

/// A benchmark, and a command that builds it, in a configuration.
struct Variant {
  std::string build_command;
  Benchmark benchmark;
};

/// What a configuration does. Its flags take the place of $DRAGNET_OPTIONS in the command, or
/// follow it, but for those that it has already; build flags are the value of $DRAGNET_OPTIONS in
/// the build's command; lines are written into their files before each run. Where nothing is added,
/// nothing changes, so that results of other commands are of use.
Variant variant_of(const Project& project, const OptionSpace& options, const Benchmark& benchmark,
                   const Configuration& configuration);

/// What is on, for people: "compress, index=hash"; "-" where nothing is.
std::string name_of(const ConfigurationSpace& space, const Configuration& configuration);

} // namespace dragnet::project
