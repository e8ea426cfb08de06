// Where functions stand in their source, from debug information.
#pragma once

#include "model/check.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dragnet::binary {

/// Where functions of a program begin in the source, by address; those without debug information
/// are left out. The files are named as the compiler was told.
std::map<std::uint64_t, SourcePlace> source_lines(const std::filesystem::path& program,
                                                  const std::vector<std::uint64_t>& addresses);

} // namespace dragnet::binary
