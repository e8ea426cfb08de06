#include "lab/definition.h"

#include "base/hash.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "model/benchmark.h"
#include "model/record.h"
#include "project/project.h"

#include <filesystem>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dragnet::lab {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> words_of(std::string_view command) {
  std::string spaced(command);
  std::ranges::replace_if(
      spaced, [](char c) { return std::string_view("\t\n<>=;|&()'\",").contains(c); }, ' ');
  auto words = split(spaced, ' ');
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

bool is_file_below(const fs::path& root, const std::string& name) {
  std::error_code problem;
  return !fs::path(name).is_absolute() && fs::is_regular_file(root / name, problem);
}

} // namespace

std::vector<std::string> run_environment(const project::Project& project,
                                         const Benchmark& benchmark) {
  const std::string path = environment_variable("PATH");
  const std::string home = environment_variable("HOME");
  std::vector<std::string> entries{"LANG=C.UTF-8", "TZ=UTC",
                                   "PATH=" + (path.empty() ? "/usr/bin:/bin" : path),
                                   "HOME=" + (home.empty() ? "/" : home)};
  for (const auto& name : project.environment)
    if (const std::string value = environment_variable(name); !value.empty())
      entries.push_back(fmt::format("{}={}", name, value));
  for (const auto& [name, value] : benchmark.environment)
    entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

std::vector<std::string> input_files(const project::Project& project, const Benchmark& benchmark) {
  std::vector<std::string> files = benchmark.inputs;
  for (const auto& word : words_of(benchmark.command + " " + benchmark.prepare))
    if (is_file_below(project.root, word) && std::ranges::find(files, word) == files.end())
      files.push_back(word);
  return files;
}

Result<Definition> define(const project::Project& project, const Benchmark& benchmark) {
  KeyMaker maker;
  maker.add("name", benchmark.name)
      .add("command", benchmark.command)
      .add("suite", fmt::to_string(static_cast<int>(benchmark.suite)))
      .add("case", benchmark.suite_case)
      .add("prepare", benchmark.prepare)
      .add("limit", fmt::to_string(benchmark.limit.count()))
      .add("cores", fmt::to_string(benchmark.cores));
  // These two differ between a user's terminals and say where things are, not what they do.
  for (const auto& entry : run_environment(project, benchmark))
    if (!entry.starts_with("PATH=") && !entry.starts_with("HOME="))
      maker.add("variable", entry);
  for (const auto& file : input_files(project, benchmark)) {
    const auto content =
        TRY_WHILE(fmt::format("benchmark '{}'", benchmark.name), file_key(project.root / file));
    maker.add(file, content);
  }
  return Definition{maker.key(), benchmark.name, benchmark.command};
}

} // namespace dragnet::lab
