// dragnet show: what is known about a commit.

#include "base/result.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "history/repository.h"
#include "model/record.h"
#include "project/project.h"
#include "report/records.h"
#include "run/machine.h"
#include "store/store.h"
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

Result<std::vector<Record>> known_records(const project::Project& project,
                                          const store::Filter& filter) {
  const auto store = TRY(open_store(project));
  if (!store)
    return std::vector<Record>();
  return store->records(filter);
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  const auto project = TRY(open_project(surroundings));
  if (words.has("all")) {
    const auto records = TRY(known_records(project, {{}, words.values("benchmark")}));
    surroundings.output.write(words.value("format") == "json"
                                  ? report::runs_json(records, project.name, version())
                                  : report::commits_text(records, surroundings.colour));
    return 0;
  }
  const auto repository = history::Repository::assume(project.root);
  const auto commit = TRY(repository.commit(words.argument("COMMIT", "HEAD")));
  auto records = TRY(known_records(project, {commit.id.text, words.values("benchmark")}));
  const report::Knowledge known{project.name, commit, std::move(records), run::this_machine().key};
  surroundings.output.write(
      words.value("format") == "json"
          ? report::knowledge_json(known, version())
          : report::knowledge_text(known, words.has("metrics"), surroundings.colour));
  return 0;
}

} // namespace

Command show_command() {
  Command command;
  command.name = "show";
  command.group = "Look";
  command.summary = "show what is known about a commit";
  command.description = "Prints the medians of everything that was measured for a commit, on this "
                        "machine and on others. "
                        "Measures nothing.";
  command.arguments = {{"COMMIT", "which one; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = {
      benchmark_option(),
      {.letter = "m", .name = "metrics", .meaning = "show every metric, not only the main ones"},
      {.letter = "a", .name = "all", .meaning = "list all commits that were measured"},
      format_option({"text", "json"})};
  command.examples = {{"dragnet show", "what is known of HEAD"},
                      {"dragnet show --all", "what has been measured so far"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
