// dragnet init: a dragnet.toml to begin with.

#include "base/files.h"
#include "base/result.h"
#include "cli/real_commands.h"
#include "history/repository.h"
#include "project/draft.h"
#include "project/project.h"

#include <filesystem>
#include <fmt/core.h>

#include <system_error>

namespace dragnet::cli {
namespace {

Result<int> act(const Words& words, Surroundings& surroundings) {
  const auto repository = TRY(history::Repository::open(surroundings.folder));
  const auto file = repository.root() / project::configuration_name;
  std::error_code problem;
  if (std::filesystem::exists(file, problem) && !words.has("force"))
    return Error{fmt::format("{} is there already", file.string()),
                 "edit it, or let dragnet init --force replace it"};
  const auto text = TRY(project::draft(repository.root()));
  TRY(write_file(file, text));
  surroundings.output.write(
      fmt::format("Wrote {}.\nNext: read it, correct the benchmarks, then try\n"
                  "  dragnet doctor\n  dragnet run\n",
                  file.string()));
  return 0;
}

} // namespace

Command init_command() {
  Command command;
  command.name = "init";
  command.group = "Measure";
  command.summary = "write a dragnet.toml for this repository";
  command.description = "Looks at the repository (CMake, Meson, configure, make; Google Benchmark "
                        "binaries) and writes a "
                        "dragnet.toml at its root, with comments that explain each part. Builds "
                        "and measures nothing.";
  command.options = {{.name = "force", .meaning = "replace a dragnet.toml that is there"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
