#include "lab/stand_ins.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "lab/laboratory.h"
#include "lab/recipe.h"
#include "lab/state.h"
#include "model/commit.h"
#include "model/run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dragnet::lab {
namespace fs = std::filesystem;
namespace {

bool is_version(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

Result<> link_to(const fs::path& program, const fs::path& link) {
  std::error_code problem;
  if (fs::read_symlink(link, problem) == program)
    return success();
  TRY(remove_tree(link));
  fs::create_symlink(program, link, problem);
  if (problem && problem != std::errc::file_exists)
    return file_error("make", link, problem.value());
  return success();
}

// The compilers in a folder; none where it cannot be read.
std::vector<fs::path> compilers_in(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem))
    if (is_compiler_name(entry->path().filename().string()))
      names.push_back(entry->path().filename());
  return names;
}

// A folder with a stand-in for each compiler that is found on PATH.
Result<fs::path> stand_ins(const State& state, Purpose purpose) {
  const auto stand_in = TRY(helper_program("dragnet-cc"));
  fs::path folder = state.folder / "hooks";
  TRY(make_folder(folder));
  TRY(link_to(stand_in, folder / "dragnet-cc"));
  for (const auto& searched : split(environment_variable("PATH"), ':'))
    for (const auto& compiler : compilers_in(searched))
      TRY(link_to(stand_in, folder / compiler));
  const std::string word(name(purpose));
  TRY(write_file(folder / ("for-" + word), word));
  return folder;
}

} // namespace

bool is_compiler_name(std::string_view name) {
  constexpr std::array<std::string_view, 8> bare{"cc",  "c++",   "gcc",     "g++",
                                                 "c99", "clang", "clang++", "c89"};
  // A target stands in front, a version behind.
  for (std::size_t first = 0; first != std::string_view::npos;) {
    const std::string_view rest = name.substr(first);
    const std::size_t dash = rest.find('-');
    const std::string_view word = rest.substr(0, dash);
    if (std::ranges::find(bare, word) != bare.end())
      return dash == std::string_view::npos ||
             (dash + 1 < rest.size() && is_version(rest.substr(dash + 1)));
    first = dash == std::string_view::npos ? dash : first + dash + 1;
  }
  return false;
}

Result<Build> build_for(Purpose purpose, Laboratory& laboratory, const Commit& commit) {
  auto recipe = recipe_of(laboratory.project(), laboratory.repository());
  recipe.stand_ins = TRY(stand_ins(laboratory.state(), purpose));
  recipe.purpose = purpose;
  return laboratory.build_by(commit, recipe);
}

} // namespace dragnet::lab
