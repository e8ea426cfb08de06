// The functions of builds: which binaries count, what is in them, and what differs.
#pragma once

#include "base/result.h"
#include "model/check.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "project/project.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dragnet::lab {

/// The binaries of a build whose functions are compared, below its folder and in alphabetical
/// order: those that dragnet.toml names, or all executables and shared libraries that are there.
Result<std::vector<std::string>> binaries_of(const project::BuildRecipe& recipe,
                                             const std::filesystem::path& build_folder);

/// The function tables of a build's binaries, in the order of binaries_of.
Result<std::vector<FunctionTable>> functions_of(const project::BuildRecipe& recipe,
                                                const Build& build);

/// Whether the binaries of two builds are the same but for debug information. False where that
/// cannot be told.
bool load_the_same(const project::BuildRecipe& recipe, const std::filesystem::path& a,
                   const std::filesystem::path& b);

/// Whether to find out which inlined callees changed; that needs debug information and time.
enum class Inlined { Leave, Find };

/// What differs between the functions of two builds, binary by binary.
Result<Difference> difference_of(const project::BuildRecipe& recipe, const Build& old_build,
                                 const Build& new_build, Inlined inlined);

/// Where functions of a build stand in the source: below the checkout that it was built in, where
/// they lie there. Those without debug information are left out.
std::map<FunctionId, SourcePlace> places_of(const Build& build,
                                            const std::filesystem::path& checkout,
                                            const std::vector<FunctionId>& functions);

/// A place with its file named from the checkout on, where it lies in there.
SourcePlace below(const std::filesystem::path& checkout, SourcePlace place);

} // namespace dragnet::lab
