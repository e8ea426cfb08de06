// What a benchmark is, made into a key: when anything that determines its result changes, old
// results do not count.
#pragma once

#include "base/result.h"
#include "model/benchmark.h"
#include "model/record.h"
#include "project/project.h"

#include <string>
#include <vector>

namespace dragnet::lab {

/// What every run of a benchmark sees as environment, less what names the build and the scratch
/// folder.
std::vector<std::string> run_environment(const project::Project& project,
                                         const Benchmark& benchmark);

/// The files below the root that belong to the definition: its declared inputs, and those that its
/// command names.
std::vector<std::string> input_files(const project::Project& project, const Benchmark& benchmark);

/// The definition with its key; fails when a declared input cannot be read.
Result<Definition> define(const project::Project& project, const Benchmark& benchmark);

} // namespace dragnet::lab
