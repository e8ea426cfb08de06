// The files that --output asks for.
#pragma once

#include "base/result.h"
#include "console/command.h"
#include "lab/laboratory.h"
#include "model/check.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::cli {

struct Output {
  std::string form; ///< json, md, junit, sarif, html, bencher or github-benchmark
  std::filesystem::path file;
};

/// The files of --output; misuse where a form is unknown or its folder does not exist.
Result<std::vector<Output>> wanted_outputs(const console::Words& words,
                                           const std::filesystem::path& folder);

Result<> write_outputs(lab::Laboratory& lab, const CheckedCommit& checked,
                       const std::vector<Output>& outputs);

} // namespace dragnet::cli
