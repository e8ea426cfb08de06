// dragnet diff: which functions differ between two builds.

#include "base/result.h"
#include "binary/function_table.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/functions.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/run.h"
#include "report/difference.h"

#include <cstddef>
#include <string>
#include <utility>

namespace dragnet::cli {
namespace {

constexpr std::size_t shown_at_first = 40;

int answer(const Difference& difference, const report::Sides& sides, const Words& words,
           Surroundings& surroundings) {
  surroundings.output.write(words.value("format") == "json"
                                ? report::difference_json(difference, sides, version())
                                : report::difference_text(difference, sides,
                                                          words.has("all") ? 0 : shown_at_first,
                                                          surroundings.colour));
  return 0;
}

Result<int> compare_files(const Words& words, Surroundings& surroundings) {
  const std::string old_file = words.argument("OLD", "");
  const std::string new_file = words.argument("NEW", "");
  if (new_file.empty())
    return words.misuse("--files needs two files", "dragnet diff --files OLD NEW");
  const auto compared = TRY(
      binary::compare(surroundings.folder / old_file, surroundings.folder / new_file, new_file));
  return answer(compared.difference, {old_file, new_file}, words, surroundings);
}

Result<Build> built(lab::Laboratory& laboratory, const std::string& name) {
  const auto commit = TRY(laboratory.repository().commit(name));
  Build build = TRY(laboratory.build(commit));
  if (build.outcome != BuildOutcome::Built)
    return does_not_build(build, laboratory.project());
  return build;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  if (words.has("files"))
    return compare_files(words, surroundings);
  auto project = TRY(open_project(surroundings));
  const auto laboratory =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  const Build old_build = TRY(built(*laboratory, words.argument("OLD", "HEAD")));
  const Build new_build = TRY(built(*laboratory, words.argument("NEW", "HEAD")));
  const auto difference = TRY(
      lab::difference_of(laboratory->project().build, old_build, new_build, lab::Inlined::Find));
  return answer(difference, {old_build.commit.id.brief(), new_build.commit.id.brief()}, words,
                surroundings);
}

} // namespace

Command diff_command() {
  Command command;
  command.name = "diff";
  command.group = "Look";
  command.summary = "show which functions differ between two commits";
  command.description =
      "Builds both commits (or takes the builds that are kept) and compares their functions as "
      "they "
      "are in the binaries: what merely moved, or calls something that moved, is the same; "
      "comments and formatting do not matter; a changed constant or table is a change of the "
      "functions that refer to it.";
  command.arguments = {
      {"OLD", "the commit to compare with", 1, 1, Completes::Commit},
      {"NEW", "the commit to look at; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = {
      {.letter = "f",
       .name = "files",
       .meaning = "OLD and NEW are executables or shared libraries"},
      {.letter = "a", .name = "all", .meaning = "show all functions, not only the first 40"},
      format_option({"text", "json"})};
  command.examples = {{"dragnet diff HEAD~1", "what the last commit changed in the programs"},
                      {"dragnet diff --files old/tool new/tool", "two files, without a project"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
