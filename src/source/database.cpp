#include "source/database.h"

#include "base/result.h"
#include "facts/unit_facts.h"
#include "model/source.h"
#include "source/cache.h"
#include "source/translation.h"

#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

constexpr const char* how_to_make = "CMake makes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, "
                                    "Meson always, and for make: bear -- make";

class Readers {
public:
  Readers(const std::vector<CompileCommand>& commands, const Reading& reading)
      : commands_(commands), reading_(reading), cache_(reading.cache), units_(commands.size()),
        troubles_(commands.size()) {}

  Result<std::vector<facts::UnitFacts>> run() {
    {
      std::vector<std::jthread> threads;
      threads.reserve(reading_.threads);
      for (std::size_t i = 0; i < reading_.threads; ++i)
        threads.emplace_back([this] { work(); });
    }
    for (auto& trouble : troubles_)
      if (trouble)
        return *std::move(trouble);
    return std::move(units_);
  }

private:
  void work() {
    for (std::size_t i = next_++; i < commands_.size(); i = next_++)
      read(i);
  }

  void read(std::size_t i) {
    const CompileCommand& command = commands_[i];
    std::error_code problem;
    if (!std::filesystem::exists(command.folder / command.file, problem)) {
      const std::string name = name_below(reading_.root, command);
      units_[i].facts.warnings.push_back(name + " is missing: all in it is unknown");
      units_[i].facts.unread.push_back(name);
      return;
    }
    if (auto kept = cache_.find(command)) {
      units_[i] = *std::move(kept);
      return;
    }
    Translation translation = translate(command, reading_.root);
    // What does not parse may do so when a file appears that was never found.
    if (translation.facts.facts.warnings.empty())
      if (auto kept = cache_.keep(command, translation); !kept)
        troubles_[i] = kept.error();
    units_[i] = std::move(translation.facts);
  }

  const std::vector<CompileCommand>& commands_;
  const Reading& reading_;
  Cache cache_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<facts::UnitFacts> units_;
  std::vector<std::optional<Error>> troubles_;
};

} // namespace

Result<std::vector<CompileCommand>> read_database(const std::filesystem::path& file,
                                                  const std::vector<std::string>& more) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem))
    return Error{"there is no compile database " + file.string(), how_to_make};
  std::string message;
  auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      file.string(), message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database)
    return Error{"cannot read the compile database " + file.string() + ": " + message, how_to_make};
  auto all = database->getAllCompileCommands();
  const auto inferring = clang::tooling::inferMissingCompileCommands(std::move(database));
  for (const std::string& one : more)
    std::ranges::move(inferring->getCompileCommands(std::filesystem::absolute(one).string()),
                      std::back_inserter(all));
  std::vector<CompileCommand> commands;
  std::set<std::filesystem::path> seen;
  for (const auto& command : all)
    if (seen.insert(
                (std::filesystem::path(command.Directory) / command.Filename).lexically_normal())
            .second)
      commands.push_back(
          {.folder = command.Directory, .file = command.Filename, .words = command.CommandLine});
  if (commands.empty())
    return Error{"the compile database " + file.string() + " has no entry", how_to_make};
  return commands;
}

Result<SourceFacts> read_source(const std::vector<CompileCommand>& commands,
                                const Reading& reading) {
  const auto units = TRY(Readers(commands, reading).run());
  return facts::linked(units);
}

} // namespace dragnet::source
