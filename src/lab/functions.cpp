#include "lab/functions.h"
#include "base/result.h"
#include "binary/difference.h"
#include "binary/elf_file.h"
#include "binary/function_table.h"
#include "binary/identity.h"
#include "binary/inlined.h"
#include "model/function.h"
#include "model/run.h"
#include "project/project.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <future>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

namespace fs = std::filesystem;

// What build systems compile to try the compiler out is no part of the program.
bool is_try_out(const fs::path& folder) {
  const std::string name = folder.filename();
  return name == "CMakeFiles" || name == "meson-private" || name == ".git";
}

std::vector<std::string> found_binaries(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code problem;
  for (auto entry = fs::recursive_directory_iterator(folder, problem);
       !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && is_try_out(entry->path()))
      entry.disable_recursion_pending();
    else if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored) &&
             binary::is_program(entry->path()))
      found.push_back(entry->path().lexically_relative(folder));
  }
  std::ranges::sort(found);
  return found;
}

void append(Difference& all, Difference one) {
  all.old_functions += one.old_functions;
  all.new_functions += one.new_functions;
  std::ranges::move(one.changes, std::back_inserter(all.changes));
}

// The table of a binary, or an empty one where the build lacks it.
FunctionTable take(std::vector<FunctionTable>& tables, const std::string& binary) {
  const auto found = std::ranges::find(tables, binary, &FunctionTable::binary);
  if (found != tables.end())
    return std::move(*found);
  FunctionTable none;
  none.binary = binary;
  return none;
}

} // namespace

Result<std::vector<std::string>> binaries_of(const project::BuildRecipe& recipe,
                                             const fs::path& build_folder) {
  std::vector<std::string> binaries = recipe.binaries;
  std::ranges::sort(binaries);
  for (const std::string& binary : binaries)
    if (!fs::exists(build_folder / binary))
      return Error{fmt::format("the build has no {}", binary),
                   fmt::format("correct 'binaries' in the section [build] of {}: paths are below "
                               "$DRAGNET_BUILD, which is {}",
                               project::configuration_name, build_folder.string())};
  if (binaries.empty())
    binaries = found_binaries(build_folder);
  if (binaries.empty())
    return Error{fmt::format("the build holds no executable and no shared library (in {})",
                             build_folder.string()),
                 "let the build command put its results into $DRAGNET_BUILD"};
  return binaries;
}

Result<std::vector<FunctionTable>> functions_of(const project::BuildRecipe& recipe,
                                                const Build& build) {
  const fs::path folder = build.folder;
  const auto binaries =
      TRY_WHILE(fmt::format("cannot read the functions of {}", build.commit.id.brief()),
                binaries_of(recipe, folder));
  std::vector<FunctionTable> tables;
  tables.reserve(binaries.size());
  for (const std::string& binary : binaries)
    tables.push_back(
        TRY_WHILE(fmt::format("cannot read the functions of {}", build.commit.id.brief()),
                  binary::read_functions(folder / binary, binary)));
  return tables;
}

bool load_the_same(const project::BuildRecipe& recipe, const fs::path& a, const fs::path& b) {
  const auto binaries = binaries_of(recipe, a);
  const auto others = binaries_of(recipe, b);
  if (!binaries || !others || *binaries != *others)
    return false;
  return std::ranges::all_of(*binaries, [&](const std::string& binary) {
    const auto first = binary::loaded_key(a / binary);
    const auto second = binary::loaded_key(b / binary);
    return first && second && *first == *second;
  });
}

Result<Difference> difference_of(const project::BuildRecipe& recipe, const Build& old_build,
                                 const Build& new_build, Inlined inlined) {
  // Most of a prediction's time is spent here, and most machines have two cores.
  auto reading = std::async(std::launch::async, [&] { return functions_of(recipe, old_build); });
  auto new_result = functions_of(recipe, new_build);
  auto old_result = reading.get();
  auto old_tables = TRY(std::move(old_result));
  auto new_tables = TRY(std::move(new_result));
  std::set<std::string> binaries;
  for (const auto* tables : {&old_tables, &new_tables})
    for (const FunctionTable& table : *tables)
      binaries.insert(table.binary);
  Difference all;
  for (const std::string& binary : binaries) {
    const FunctionTable old_table = take(old_tables, binary);
    const FunctionTable new_table = take(new_tables, binary);
    Difference one = binary::difference(old_table, new_table);
    if (inlined == Inlined::Find)
      binary::add_inlined(one, old_table, fs::path(old_build.folder) / binary, new_table,
                          fs::path(new_build.folder) / binary);
    append(all, std::move(one));
  }
  return all;
}

} // namespace dragnet::lab
