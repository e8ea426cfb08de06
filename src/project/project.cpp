#include "project/project.h"

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "project/benchmarks.h"
#include "project/document.h"
#include "project/mistakes.h"
#include "project/options.h"
#include "project/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dragnet::project {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view example_of_build = "write how it is built, such as:\n"
                                              "[build]\n"
                                              "command = \"make -j2 && cp -a . $DRAGNET_BUILD/\"";
constexpr std::string_view example_of_benchmark = "write at least one, such as:\n"
                                                  "[[benchmark]]\n"
                                                  "name = \"insert\"\n"
                                                  "command = \"$DRAGNET_BUILD/program input.txt\"";
constexpr std::string_view how_to_begin =
    "in the repository's root, `dragnet init` writes one to start from";

// The sections by name; a null pointer is for one that is absent, or of the wrong kind, which has
// then been noted.
class Sections {
public:
  Sections(const Node& document, Mistakes& mistakes);

  const Node* table(std::string_view key) const { return of_kind(key, Kind::Table); }
  const Node* tables(std::string_view key) const { return of_kind(key, Kind::List); }

private:
  const Node* of_kind(std::string_view key, Kind kind) const;

  const Node* document_;
};

void check_kind(const Entry& entry, Mistakes& mistakes) {
  const std::string key = entry.key;
  const bool is_repeated = key == "benchmark" || key == "option";
  const auto is_table = [](const Node& node) { return node.kind == Kind::Table; };
  const bool has_tables =
      entry.value.kind == Kind::List && std::ranges::all_of(entry.value.items, is_table);
  if (is_repeated ? has_tables : is_table(entry.value))
    return;
  const std::string right = is_repeated ? fmt::format("[[{}]]", key) : fmt::format("[{}]", key);
  mistakes.add(entry.value.at,
               fmt::format("'{}' must be {}, but is {}", key,
                           is_repeated ? "a list of tables" : "a table", name(entry.value.kind)),
               fmt::format("write {} on a line of its own, and below it its keys", right));
}

Sections::Sections(const Node& document, Mistakes& mistakes) : document_(&document) {
  const std::vector<std::string> known{"project", "build",       "measure", "benchmark",
                                       "option",  "constraints", "provoke", "blame"};
  for (const auto& entry : document.entries) {
    const bool is_section = entry.value.kind == Kind::Table || entry.value.kind == Kind::List;
    if (std::ranges::find(known, entry.key) != known.end())
      check_kind(entry, mistakes);
    else
      mistakes.add(entry.at,
                   fmt::format("unknown {} '{}'", is_section ? "section" : "key", shown(entry.key)),
                   is_section ? did_you_mean(entry.key.substr(0, 60), known)
                              : "keys stand in a section such as [build]");
  }
}

const Node* Sections::of_kind(std::string_view key, Kind kind) const {
  const auto found = std::ranges::find(document_->entries, key, &Entry::key);
  if (found == document_->entries.end() || found->value.kind != kind)
    return nullptr;
  const auto is_table = [](const Node& node) { return node.kind == Kind::Table; };
  return kind == Kind::List && !std::ranges::all_of(found->value.items, is_table) ? nullptr
                                                                                  : &found->value;
}

bool has(const Node& document, std::string_view key) {
  return std::ranges::find(document.entries, key, &Entry::key) != document.entries.end();
}

std::string name_of_folder(const fs::path& root) {
  std::error_code problem;
  fs::path whole = fs::absolute(root, problem).lexically_normal();
  if (!whole.has_filename())
    whole = whole.parent_path();
  std::string name = whole.filename().string();
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return name.empty() ? "project" : name;
}

std::string read_name(const Node* table, const fs::path& root, Mistakes& mistakes) {
  const std::array<std::string, 1> known{"name"};
  if (table == nullptr)
    return name_of_folder(root);
  const Section section(*table, "[project]", known, mistakes);
  const auto name = section.text("name");
  if (!name)
    return name_of_folder(root);
  if (const std::string problem = problem_of_name(name->value); !problem.empty())
    section.wrong(name->at, "name", problem, "use letters, digits, '-', '_' and '.'");
  return name->value;
}

BuildRecipe read_build(const Node& table, Mistakes& mistakes) {
  const std::array<std::string, 4> known{"command", "binaries", "environment", "timeout"};
  const Section section(table, "[build]", known, mistakes);
  BuildRecipe recipe;
  if (const auto command =
          section.required_text("command", "\"make -j2 && cp -a . $DRAGNET_BUILD/\""))
    recipe.command = command->value;
  if (const auto binaries = section.texts("binaries")) {
    check_paths(section, "binaries", *binaries, "$DRAGNET_BUILD");
    recipe.binaries = values_of(*binaries);
  }
  if (const auto names = section.texts("environment")) {
    check_variables(section, "environment", *names);
    recipe.environment = values_of(*names);
  }
  recipe.limit = section.duration("timeout").value_or(recipe.limit);
  return recipe;
}

void read_required(const Node& document, const Sections& sections, Project& project,
                   Mistakes& mistakes) {
  const Defaults defaults = read_measure(sections.table("measure"), mistakes);
  project.environment = defaults.environment;
  project.warm_up = defaults.warm_up;
  if (const Node* build = sections.table("build"))
    project.build = read_build(*build, mistakes);
  else if (!has(document, "build"))
    mistakes.add({}, "there is no section [build]", std::string(example_of_build));
  const Node* benchmarks = sections.tables("benchmark");
  if (benchmarks != nullptr)
    project.benchmarks = read_benchmarks(*benchmarks, defaults, mistakes);
  if (benchmarks != nullptr ? benchmarks->items.empty() : !has(document, "benchmark"))
    mistakes.add({}, "there is no [[benchmark]]", std::string(example_of_benchmark));
}

} // namespace

Result<Project> parse_project(std::string_view text, const std::string& file_name,
                              const fs::path& root) {
  Mistakes mistakes(file_name);
  const auto document = parse_document(text, mistakes);
  if (!document)
    return mistakes.error();
  const Sections sections(*document, mistakes);
  Project project;
  project.root = root;
  project.name = read_name(sections.table("project"), root, mistakes);
  read_required(*document, sections, project, mistakes);
  if (const Node* options = sections.tables("option"))
    project.options = read_options(*options, mistakes);
  if (const Node* constraints = sections.table("constraints"))
    read_constraints(*constraints, project, mistakes);
  if (const Node* provoke = sections.table("provoke"))
    project.provoke = read_provoke(*provoke, mistakes);
  if (const Node* blame = sections.table("blame"))
    project.boundary = read_boundary(*blame, mistakes);
  if (!mistakes.empty())
    return mistakes.error();
  return project;
}

Result<Project> read_project(const fs::path& root) {
  const fs::path path = root / configuration_name;
  std::error_code problem;
  if (!fs::exists(path, problem))
    return Error{fmt::format("there is no {} in {}", configuration_name, root.string()),
                 std::string(how_to_begin)};
  if (!fs::is_regular_file(path, problem))
    return Error{fmt::format("{} is not a file", path.string()), {}};
  // An error code makes the size huge; then the reading below tells the reason.
  const auto size = fs::file_size(path, problem);
  if (!problem && size > largest_text)
    return Error{fmt::format("{}: the file has {} bytes; more than {} are not read",
                             configuration_name, size, largest_text),
                 {}};
  const std::string text = TRY(read_file(path));
  return parse_project(text, std::string(configuration_name), root);
}

Result<fs::path> find_root(const fs::path& from) {
  std::error_code problem;
  const fs::path start = fs::absolute(from, problem).lexically_normal();
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / configuration_name, problem))
      return folder.has_filename() ? folder : folder.parent_path();
    if (folder == folder.parent_path())
      break;
  }
  return Error{
      fmt::format("there is no {} in {} or a folder above it", configuration_name, start.string()),
      std::string(how_to_begin)};
}

} // namespace dragnet::project
