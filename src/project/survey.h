// Looks at a repository to learn how it is built and which programs come out of it. A plain text
// scan, bounded in files and bytes: it serves a first draft that a person corrects, and must answer
// in a moment on any repository.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::project {

enum class BuildSystem { Unknown, CMake, Meson, Autoconf, Make, Sources };

/// A program that the build makes.
struct Program {
  std::string path; ///< below $DRAGNET_BUILD
  bool is_google_benchmark = false;
  bool is_test = false;
};

struct Found {
  BuildSystem system = BuildSystem::Unknown;
  bool has_configure = false;    ///< for Autoconf: the script is there, and need not be made first
  std::vector<Program> programs; ///< those that look like the main program first
  std::vector<std::string> sources; ///< for Sources: the files to compile, below the root
};

/// What the files of a repository tell; fails only when the root is not a folder.
Result<Found> survey(const std::filesystem::path& root);

} // namespace dragnet::project
