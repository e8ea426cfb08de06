// One translation unit read into facts.
#pragma once

#include "facts/unit_facts.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::source {

/// How a file is compiled.
struct CompileCommand {
  std::filesystem::path folder;
  std::filesystem::path file;
  std::vector<std::string> words; ///< the compiler first
};

/// What was read, and the files that it was read from.
struct Translation {
  facts::UnitFacts facts;
  std::vector<std::string> files;
};

/// What facts call the file of a command: by its path below the root, if it lies there.
std::string name_below(const std::filesystem::path& root, const CompileCommand& command);

/// Reads a file as Clang would compile it, with the flags that Clang knows. Code that does not
/// parse gives a warning and the facts of what does.
Translation translate(const CompileCommand& command, const std::filesystem::path& root);

} // namespace dragnet::source
