// Builds in which programs of ours stand in for compilers, so that the build command and the build
// files can stay as they are.
#pragma once

#include "base/result.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "model/run.h"

#include <string_view>

namespace dragnet::lab {

/// A commit built so that its calls can be traced (Traced), or with its code in other places
/// (Aligned).
Result<Build> build_for(Purpose purpose, Laboratory& laboratory, const Commit& commit);

/// Whether a file's name is that of a compiler of C or C++: gcc, x86_64-linux-gnu-g++-12, clang-19.
bool is_compiler_name(std::string_view name);

} // namespace dragnet::lab
