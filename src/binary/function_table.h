// Reads the functions of an executable or shared library, each with hashes that change exactly when
// its code, or the data that it refers to, changes: not when it moves, and not when what it calls
// moves.
#pragma once

#include "base/result.h"
#include "model/function.h"

#include <filesystem>
#include <string>

namespace dragnet::binary {

/// The functions of a file. `name` is what the table calls the binary. An Error says that the file
/// is no program, or has no functions that can be told apart.
Result<FunctionTable> read_functions(const std::filesystem::path& path, const std::string& name);

/// Two builds of a binary and what differs.
struct Comparison {
  FunctionTable old_table; ///< both without lengths
  FunctionTable new_table;
  Difference difference;
};

/// Reads two builds of a binary at once, faster than one after the other.
Result<Comparison> compare(const std::filesystem::path& old_path,
                           const std::filesystem::path& new_path, const std::string& name);

} // namespace dragnet::binary
