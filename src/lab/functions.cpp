#include "lab/functions.h"
#include "base/result.h"
#include "binary/difference.h"
#include "binary/elf_file.h"
#include "binary/function_table.h"
#include "binary/identity.h"
#include "binary/inlined.h"
#include "binary/source_lines.h"
#include "model/check.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "project/project.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <iterator>
#include <map>
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

bool holds(const std::vector<std::string>& binaries, const std::string& binary) {
  return std::ranges::find(binaries, binary) != binaries.end();
}

// Compares two builds, binary by binary; one that a build lacks has no functions there.
class BuildComparer {
public:
  BuildComparer(const Build& old_build, const Build& new_build)
      : old_folder_(old_build.folder), new_folder_(new_build.folder) {}

  Result<> list(const project::BuildRecipe& recipe) {
    old_ = TRY(binaries_of(recipe, old_folder_));
    new_ = TRY(binaries_of(recipe, new_folder_));
    return success();
  }

  std::vector<std::string> all() const {
    std::vector<std::string> both;
    std::ranges::set_union(old_, new_, std::back_inserter(both));
    return both;
  }

  Result<binary::Comparison> compare(const std::string& binary) const {
    if (holds(old_, binary) && holds(new_, binary))
      return binary::compare(old_folder_ / binary, new_folder_ / binary, binary);
    binary::Comparison alone;
    alone.old_table.binary = alone.new_table.binary = binary;
    if (holds(old_, binary))
      alone.old_table = TRY(binary::read_functions(old_folder_ / binary, binary));
    else
      alone.new_table = TRY(binary::read_functions(new_folder_ / binary, binary));
    alone.difference = binary::difference({.table = alone.old_table, .outline = {}},
                                          {.table = alone.new_table, .outline = {}});
    return alone;
  }

private:
  fs::path old_folder_;
  fs::path new_folder_;
  std::vector<std::string> old_; ///< the binaries of the old build, in order
  std::vector<std::string> new_;
};

std::vector<std::uint64_t> addresses_of(const std::map<std::uint64_t, FunctionId>& functions) {
  std::vector<std::uint64_t> addresses;
  addresses.reserve(functions.size());
  for (const auto& [address, function] : functions)
    addresses.push_back(address);
  return addresses;
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
  BuildComparer comparer(old_build, new_build);
  const std::string what = fmt::format("cannot read the functions of {} and {}",
                                       old_build.commit.id.brief(), new_build.commit.id.brief());
  TRY_WHILE(what, comparer.list(recipe));
  Difference all;
  for (const std::string& binary : comparer.all()) {
    auto one = TRY_WHILE(what, comparer.compare(binary));
    if (inlined == Inlined::Find)
      binary::add_inlined(one.difference, one.old_table, fs::path(old_build.folder) / binary,
                          one.new_table, fs::path(new_build.folder) / binary);
    append(all, std::move(one.difference));
  }
  return all;
}

std::map<FunctionId, SourcePlace> places_of(const Build& build, const fs::path& checkout,
                                            const std::vector<FunctionId>& functions) {
  std::map<std::string, std::map<std::string, FunctionId>> wanted; // by binary and name
  for (const FunctionId& function : functions)
    wanted[function.binary].emplace(function.name, function);
  std::map<FunctionId, SourcePlace> places;
  for (const auto& [binary, names] : wanted) {
    const fs::path program = fs::path(build.folder) / binary;
    const auto table = binary::read_functions(program, binary);
    if (!table)
      continue;
    std::map<std::uint64_t, FunctionId> by_address;
    for (const Function& function : table->functions)
      if (const auto found = names.find(function.name); found != names.end())
        by_address.emplace(function.address, found->second);
    for (auto& [address, place] : binary::source_lines(program, addresses_of(by_address)))
      places.emplace(by_address.at(address), below(checkout, place));
  }
  return places;
}

SourcePlace below(const fs::path& checkout, SourcePlace place) {
  const fs::path relative = fs::path(place.file).lexically_relative(checkout);
  if (!relative.empty() && *relative.begin() != "..")
    place.file = relative.lexically_normal();
  return place;
}

} // namespace dragnet::lab
