#include "project/survey.h"

#include "base/result.h"
#include "base/text.h"
#include "project/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view benchmark_header = "<benchmark/benchmark.h>";

// Only names that need no quoting anywhere; others are left for the user to write.
bool is_plain(std::string_view name) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+/";
  return !name.empty() && name.find_first_not_of(letters) == std::string_view::npos &&
         !name.starts_with('-') && !name.starts_with('/') && !name.contains("..");
}

bool is_source(const fs::path& path) {
  constexpr std::array<std::string_view, 5> endings{".c", ".cc", ".cpp", ".cxx", ".C"};
  return std::ranges::find(endings, path.extension().string()) != endings.end();
}

bool looks_like_test(std::string_view name) {
  const auto is_part = [&](std::string_view word) { return name.contains(word); };
  return is_part("test") || is_part("Test") || is_part("example") || is_part("fuzz");
}

bool links_google_benchmark(const Call& call) {
  return std::ranges::any_of(call.words, [](const std::string& word) {
    return word == "benchmark::benchmark" || word == "benchmark::benchmark_main" ||
           word == "benchmark" || word == "benchmark_main" || word == "-lbenchmark";
  });
}

class Surveyor {
public:
  explicit Surveyor(fs::path root) : root_(std::move(root)), files_(files_to_scan(root_)) {}

  Found survey() {
    found_.system = system();
    found_.has_configure = has("configure");
    if (found_.system == BuildSystem::CMake)
      scan_build_files("CMakeLists.txt");
    else if (found_.system == BuildSystem::Meson)
      scan_build_files("meson.build");
    else if (found_.system == BuildSystem::Make)
      scan_makefile();
    else if (found_.system == BuildSystem::Sources)
      scan_sources();
    order_programs();
    return std::move(found_);
  }

private:
  bool has(std::string_view file) const {
    return std::ranges::find(files_, root_ / file) != files_.end();
  }
  BuildSystem system() const;
  std::vector<fs::path> sources_at_root() const;
  void scan_build_files(std::string_view name);
  void note_subfolders(const std::vector<Call>& calls, const fs::path& folder);
  void scan_cmake(const std::vector<Call>& calls, const fs::path& folder);
  void scan_meson(const std::vector<Call>& calls, const fs::path& folder);
  void set_output_folder(std::string folder);
  void scan_makefile();
  void scan_sources();
  void add_program(const std::string& name, const Call& call, const fs::path& folder, bool links);
  bool includes_google_benchmark(const fs::path& source);
  void order_programs();

  fs::path root_;
  std::vector<fs::path> files_;
  BoundedReader reader_;
  std::set<fs::path> reached_{root_}; // the folders that the build enters
  bool reaches_all_ = false;          // it enters some by a variable: then any folder may be meant
  std::string project_name_;
  std::optional<std::string> output_folder_; // CMake's folder for programs, where a file sets one
  Found found_;
};

BuildSystem Surveyor::system() const {
  if (has("CMakeLists.txt"))
    return BuildSystem::CMake;
  if (has("meson.build"))
    return BuildSystem::Meson;
  if (has("configure") || has("configure.ac"))
    return BuildSystem::Autoconf;
  if (has("Makefile") || has("GNUmakefile") || has("makefile"))
    return BuildSystem::Make;
  return sources_at_root().empty() ? BuildSystem::Unknown : BuildSystem::Sources;
}

std::vector<fs::path> Surveyor::sources_at_root() const {
  std::vector<fs::path> sources;
  for (const auto& file : files_)
    if (file.parent_path() == root_ && is_source(file) && is_plain(file.filename().string()))
      sources.push_back(file);
  return sources;
}

bool Surveyor::includes_google_benchmark(const fs::path& source) {
  return is_source(source) && reader_.read(source).contains(benchmark_header);
}

void Surveyor::add_program(const std::string& name, const Call& call, const fs::path& folder,
                           bool links) {
  const bool includes = std::ranges::any_of(call.words, [&](const std::string& word) {
    return includes_google_benchmark(folder / word);
  });
  const fs::path place =
      output_folder_ ? fs::path(*output_folder_) : folder.lexically_relative(root_);
  const std::string path = (place / name).lexically_normal().string();
  const auto is_same = [&](const Program& program) { return program.path == path; };
  if (is_plain(name) && is_plain(path) && std::ranges::none_of(found_.programs, is_same))
    found_.programs.push_back({path, links || includes, looks_like_test(path)});
}

void Surveyor::set_output_folder(std::string folder) {
  for (const auto* variable :
       {"${CMAKE_BINARY_DIR}", "${PROJECT_BINARY_DIR}", "${CMAKE_CURRENT_BINARY_DIR}"})
    folder = replace_all(folder, variable, ".");
  if (!folder.contains('$'))
    output_folder_ = folder;
}

void Surveyor::scan_cmake(const std::vector<Call>& calls, const fs::path& folder) {
  std::set<std::string> linking;
  for (const auto& [function, words] : calls) {
    if (words.empty())
      continue;
    if (function == "project")
      project_name_ = words.front();
    if (function == "target_link_libraries" && links_google_benchmark({function, words}))
      linking.insert(words.front());
    if (function == "set" && words.size() == 2 && words[0] == "CMAKE_RUNTIME_OUTPUT_DIRECTORY")
      set_output_folder(words[1]);
  }
  for (const auto& call : calls) {
    if (call.function != "add_executable" || call.words.size() < 2 || call.words[1] == "IMPORTED" ||
        call.words[1] == "ALIAS")
      continue;
    const std::string name = replace_all(call.words.front(), "${PROJECT_NAME}", project_name_);
    add_program(name, call, folder, linking.contains(call.words.front()));
  }
}

void Surveyor::scan_meson(const std::vector<Call>& calls, const fs::path& folder) {
  // Meson names a dependency by a variable; the file's dependency('benchmark') tells that there is
  // one.
  const bool depends = std::ranges::any_of(calls, [](const Call& call) {
    return call.function == "dependency" && !call.words.empty() &&
           call.words.front().starts_with("benchmark");
  });
  for (const auto& call : calls) {
    const bool names_it = depends && std::ranges::any_of(call.words, [](const std::string& word) {
                            return word.contains("benchmark");
                          });
    if (call.function == "executable" && !call.words.empty())
      add_program(call.words.front(), call, folder, names_it);
  }
}

// A folder with a build file of its own may be another project, such as an example: only those that
// the build enters count. The scan comes to a folder before its subfolders.
void Surveyor::note_subfolders(const std::vector<Call>& calls, const fs::path& folder) {
  for (const auto& [function, words] : calls) {
    if (words.empty() || (function != "add_subdirectory" && function != "subdir"))
      continue;
    reached_.insert((folder / words.front() / ".").lexically_normal().parent_path());
    reaches_all_ = reaches_all_ || words.front().contains('$');
  }
}

void Surveyor::scan_build_files(std::string_view name) {
  for (const auto& file : files_) {
    if (file.filename() != name || !(reaches_all_ || reached_.contains(file.parent_path())))
      continue;
    const auto calls = calls_in(reader_.read(file));
    note_subfolders(calls, file.parent_path());
    if (found_.system == BuildSystem::CMake)
      scan_cmake(calls, file.parent_path());
    else
      scan_meson(calls, file.parent_path());
  }
}

void Surveyor::scan_makefile() {
  constexpr std::array<std::string_view, 8> usual{"TARGET", "PROG", "PROGRAM",    "BIN",
                                                  "EXE",    "EXEC", "EXECUTABLE", "NAME"};
  for (const auto* name : {"GNUmakefile", "makefile", "Makefile"}) {
    if (!has(name))
      continue;
    for (const auto& line : lines(reader_.read(root_ / name))) {
      const auto equals = line.find('=');
      const std::string variable(
          trim(std::string_view(line).substr(0, equals == 0 ? 0 : line.find_first_of(":?="))));
      if (equals == std::string::npos || std::ranges::find(usual, variable) == usual.end())
        continue;
      add_program(std::string(trim(std::string_view(line).substr(equals + 1))), {}, root_, false);
    }
    break; // make reads the first of these names only
  }
  for (const auto& file : files_)
    if (includes_google_benchmark(file))
      add_program(file.stem().string(), {}, file.parent_path(), true);
}

void Surveyor::scan_sources() {
  const auto sources = sources_at_root();
  for (const auto& source : sources)
    found_.sources.push_back(source.filename().string());
  const bool links = std::ranges::any_of(
      sources, [&](const fs::path& file) { return includes_google_benchmark(file); });
  add_program(sources.size() == 1 ? sources.front().stem().string() : "program", {}, root_, links);
}

void Surveyor::order_programs() {
  std::multimap<std::pair<bool, std::ptrdiff_t>, Program> sorted;
  for (auto& program : found_.programs)
    sorted.emplace(std::pair(program.is_test, std::ranges::count(program.path, '/')),
                   std::move(program));
  found_.programs.clear();
  for (auto& [place, program] : sorted)
    found_.programs.push_back(std::move(program));
}

} // namespace

Result<Found> survey(const fs::path& root) {
  std::error_code problem;
  if (!fs::is_directory(root, problem))
    return Error{fmt::format("{} is not a folder", root.string()), {}};
  // One spelling for each path, so that they can be compared.
  return Surveyor((fs::absolute(root, problem) / ".").lexically_normal().parent_path()).survey();
}

} // namespace dragnet::project
