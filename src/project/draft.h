// The first dragnet.toml of a repository, for `dragnet init`: what could be found out, and comments
// that teach the rest.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace dragnet::project {

/// The text of a dragnet.toml for the repository in a folder. It parses; what a person must check
/// is marked "check".
Result<std::string> draft(const std::filesystem::path& root);

} // namespace dragnet::project
