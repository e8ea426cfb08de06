// What tells one version of a library from another, found without reading it whole.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace dragnet::binary {

/// The build id of a program or library; a key of its content where it has none; empty where it
/// cannot be read.
std::string identity_of(const std::string& path);

/// A key of all that a program or library loads: code and data with their places, but neither debug
/// information nor the build id.
Result<std::string> loaded_key(const std::filesystem::path& path);

} // namespace dragnet::binary
