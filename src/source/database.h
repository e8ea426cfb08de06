// A compile database, and all its units read into facts.
#pragma once

#include "base/result.h"
#include "model/source.h"
#include "source/translation.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::source {

/// The commands of a compile_commands.json, each file once, and of further files as those that are
/// most alike are compiled. An Error says how to make one.
Result<std::vector<CompileCommand>> read_database(const std::filesystem::path& file,
                                                  const std::vector<std::string>& more);

struct Reading {
  std::filesystem::path root;  ///< of the project
  std::filesystem::path cache; ///< a folder
  std::size_t threads = 1;
};

/// What all units say together; those that have not changed come from the cache. Files that are
/// missing give a warning.
Result<SourceFacts> read_source(const std::vector<CompileCommand>& commands,
                                const Reading& reading);

} // namespace dragnet::source
