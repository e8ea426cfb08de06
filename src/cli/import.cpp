// dragnet import: what other tools measured.

#include "base/clock.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/result.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "formats/csv.h"
#include "formats/foreign_results.h"
#include "formats/google_benchmark.h"
#include "formats/hyperfine.h"
#include "history/repository.h"
#include "lab/state.h"
#include "model/commit.h"
#include "model/machine.h"
#include "model/record.h"
#include "model/run.h"
#include "store/sqlite_store.h"
#include "store/store.h"

#include <filesystem>
#include <fmt/core.h>

#include <map>
#include <string>

namespace dragnet::cli {
namespace {

// The machine that a file names, kept apart from those that Dragnet itself measured on.
Machine foreign_machine(const std::string& host) {
  Machine machine;
  machine.host_name = host.empty() ? "unknown" : host;
  machine.processor = "unknown";
  machine.kernel = "unknown";
  machine.key = KeyMaker().add("imported", machine.host_name).key();
  return machine;
}

Build foreign_build(const Commit& commit, const std::string& tool) {
  Build build;
  build.commit = commit;
  build.purpose = Purpose::Imported;
  build.key = KeyMaker().add("imported", tool).add("tree", commit.tree).key();
  return build;
}

Definition foreign_definition(const std::string& benchmark, const std::string& tool) {
  return {KeyMaker().add("imported", tool).add("benchmark", benchmark).key(), benchmark,
          "imported from " + tool};
}

Result<> keep_all(store::Store& store, const formats::ForeignResults& results, const Commit& commit,
                  const std::string& host) {
  const Machine machine = foreign_machine(host.empty() ? results.machine : host);
  const Build build = foreign_build(commit, results.tool);
  TRY(store.keep(machine));
  TRY(store.keep(build));
  std::map<std::string, std::string> definitions;
  for (const auto& found : results.runs) {
    const Definition definition = foreign_definition(found.benchmark, results.tool);
    if (definitions.emplace(found.benchmark, definition.key).second)
      TRY(store.keep(definition));
    Run run;
    run.started = milliseconds_since_1970();
    run.samples = found.samples;
    TRY(store.keep({build.key, definition.key, machine.key, Method::Timed}, run, {}));
  }
  return success();
}

Result<formats::ForeignResults> read_results(const std::filesystem::path& file,
                                             const std::string& format) {
  const auto text = TRY(read_file(file));
  const std::string name = file.filename().string();
  if (format == "google-benchmark")
    return TRY_WHILE("cannot import " + name, formats::read_google_benchmark(text));
  if (format == "hyperfine")
    return TRY_WHILE("cannot import " + name, formats::read_hyperfine(text));
  if (format == "csv")
    return TRY_WHILE("cannot import " + name, formats::read_csv(text));
  return TRY_WHILE("cannot import", formats::read_any(text, name));
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  const auto project = TRY(open_project(surroundings));
  const auto repository = history::Repository::assume(project.root);
  const auto commit = TRY(repository.commit(words.value("commit")));
  const auto state = TRY(lab::prepare_state(project.root));
  const auto store = TRY(store::open_sqlite(state.store()));
  for (const auto& name : words.arguments("FILE")) {
    const auto results = TRY(read_results(surroundings.folder / name, words.value("from")));
    for (const auto& warning : results.warnings)
      surroundings.progress.warn(fmt::format("{}: {}", name, warning));
    TRY(keep_all(*store, results, commit, words.value("machine")));
    surroundings.output.write(fmt::format("Imported {} runs of {} from {} for {}.\n",
                                          results.runs.size(), results.tool, name,
                                          commit.id.brief()));
  }
  return 0;
}

} // namespace

Command import_command() {
  Command command;
  command.name = "import";
  command.group = "Exchange";
  command.summary = "take over what other tools measured";
  command.description =
      "Reads the results of Google Benchmark (JSON, with repetitions and counters), hyperfine "
      "(JSON) or "
      "CSV, and keeps them as runs of a commit. They are shown and exported, and marked with the "
      "machine that they come from; they are never mixed with what Dragnet measures here.";
  command.arguments = {{"FILE", "what to read", 1, any_number, Completes::File}};
  command.options = {{.name = "commit",
                      .value = "COMMIT",
                      .meaning = "the commit that was measured",
                      .standard = "HEAD",
                      .completes = Completes::Commit},
                     {.name = "from",
                      .value = "TOOL",
                      .meaning = "the form of the file; found out by looking when it is left out",
                      .choices = {"google-benchmark", "hyperfine", "csv"},
                      .completes = Completes::Choice},
                     {.name = "machine",
                      .value = "NAME",
                      .meaning = "the machine that was measured on, where the file does not tell"}};
  command.examples = {
      {"dragnet import results.json --commit v1.2", "results of another tool for the tag v1.2"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
