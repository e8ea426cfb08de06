// dragnet export: everything that was measured, for other programs.

#include "base/files.h"
#include "base/result.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "history/repository.h"
#include "model/record.h"
#include "report/records.h"
#include "store/store.h"
#include <vector>

namespace dragnet::cli {
namespace {

Result<int> act(const Words& words, Surroundings& surroundings) {
  const auto project = TRY(open_project(surroundings));
  store::Filter filter{{}, words.values("benchmark")};
  if (const auto name = words.argument("COMMIT"); !name.empty()) {
    const auto repository = history::Repository::assume(project.root);
    const auto commit = TRY(repository.commit(name));
    filter.commit = commit.id.text;
  }
  const auto store = TRY(open_store(project));
  std::vector<Record> records;
  if (store)
    records = TRY(store->records(filter));
  const std::string text = words.value("format") == "csv"
                               ? report::runs_csv(records)
                               : report::runs_json(records, project.name, version());
  if (const auto file = words.value("output"); !file.empty())
    TRY(write_file(surroundings.folder / file, text));
  else
    surroundings.output.write(text);
  return 0;
}

} // namespace

Command export_command() {
  Command command;
  command.name = "export";
  command.group = "Exchange";
  command.summary = "write out what was measured";
  command.description =
      "Writes every run with all its samples, as one JSON document or as CSV with a line a sample. "
      "docs/json.md describes the fields.";
  command.arguments = {
      {"COMMIT", "only this one; all when it is left out", 0, 1, Completes::Commit}};
  command.options = {benchmark_option(),
                     {.letter = "o",
                      .name = "output",
                      .value = "FILE",
                      .meaning = "write to a file",
                      .completes = Completes::File},
                     format_option({"json", "csv"})};
  command.examples = {
      {"dragnet export --format csv -o runs.csv", "all samples, for a spreadsheet"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
