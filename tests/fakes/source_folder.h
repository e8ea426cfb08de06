// Where the sources of the tests lie.
#pragma once

#include <filesystem>

namespace dragnet::fakes {

/// The project's own folder.
std::filesystem::path source_folder();

} // namespace dragnet::fakes
