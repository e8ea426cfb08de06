// Which callees that the compiler inlined differ in a changed function, from debug information.
#pragma once

#include "model/function.h"

#include <filesystem>

namespace dragnet::binary {

/// Fills in the inlined callees of the changed functions of one binary, given both its files and
/// tables. Where debug information is missing or broken, nothing is added.
void add_inlined(Difference& difference, const FunctionTable& old_table,
                 const std::filesystem::path& old_file, const FunctionTable& new_table,
                 const std::filesystem::path& new_file);

} // namespace dragnet::binary
