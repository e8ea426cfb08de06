// The files that --output asks for.
#pragma once

#include "base/result.h"
#include "console/command.h"
#include "lab/laboratory.h"
#include "model/check.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace dragnet::cli {

struct Output {
  std::string form; ///< the name of an OutputForm
  std::filesystem::path file;
};

/// A form that --output can ask for, and the end of a file's name that means it; none where only
/// the form itself does.
struct OutputForm {
  const char* name;
  const char* end;
};

/// The forms of a check.
std::span<const OutputForm> check_forms();

/// The files of --output; misuse where a form is unknown or its folder does not exist.
Result<std::vector<Output>> wanted_outputs(const console::Words& words,
                                           const std::filesystem::path& folder,
                                           std::span<const OutputForm> forms);

Result<> write_outputs(lab::Laboratory& lab, const CheckedCommit& checked,
                       const std::vector<Output>& outputs);

} // namespace dragnet::cli
