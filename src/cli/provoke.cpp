// dragnet provoke: which inputs make the new version slow?

#include "analysis/provoke/answer.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "hunt/provoking.h"
#include "lab/feeding.h"
#include "lab/laboratory.h"
#include "load/request.h"
#include "model/metric.h"
#include "model/run.h"
#include "project/project.h"
#include "report/provocation.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

namespace fs = std::filesystem;

// What is sent to a server must be requests, and what users log in by as well.
Result<> check_inputs(const std::vector<std::string>& inputs, const project::Provoke& provoke) {
  if (provoke.feed != project::Feed::Http)
    return success();
  for (const auto& input : inputs)
    TRY(load::parse_request(input));
  for (const auto& input : provoke.serving.login)
    TRY_WHILE("'login' of [provoke]", load::parse_request(input));
  return success();
}

Result<std::vector<std::string>> genes_in(const fs::path& file, const project::Provoke& provoke) {
  const auto text = TRY(read_file(file));
  auto genes = hunt::read_genes(text);
  if (genes.empty())
    return Error{fmt::format("{} has no inputs", file.string()),
                 "write one on each line, or in blocks with an empty line between them"};
  TRY(check_inputs(genes, provoke));
  return genes;
}

Result<Build> built(lab::Laboratory& lab, const std::string& name) {
  const auto commit = TRY(lab.repository().commit(name));
  Build build = TRY(lab.build(commit));
  if (build.outcome != BuildOutcome::Built)
    return does_not_build(build, lab.project());
  return build;
}

Result<std::size_t> users_of(const Words& words, const project::Provoke& provoke) {
  if (!words.has("users"))
    return static_cast<std::size_t>(provoke.serving.users);
  if (provoke.feed != project::Feed::Http)
    return words.misuse("--users is for servers, and the command of [provoke] is not one",
                        R"(write feed = "http" to [provoke] if it is)");
  return static_cast<std::size_t>(TRY(words.number("users", 1, 1000)));
}

Result<std::size_t> count_of(const Words& words, const char* option, long least, long most) {
  return static_cast<std::size_t>(TRY(words.number(option, least, most)));
}

// How to search: all that is a word or a number.
Result<> take_search(const Words& words, hunt::ProvokeRequest& request) {
  request.length = TRY(count_of(words, "length", 1, 100'000));
  request.generations = TRY(count_of(words, "generations", 0, 100'000));
  request.seed = TRY(count_of(words, "seed", 0, 1'000'000'000));
  request.repetitions = TRY(count_of(words, "runs", 1, 1000));
  request.strategy = words.value("method");
  request.metric = words.value("metric");
  request.at_once = std::max(1U, std::thread::hardware_concurrency());
  if (words.has("jobs"))
    request.at_once = TRY(count_of(words, "jobs", 1, 1000));
  return success();
}

Result<hunt::ProvokeRequest> request_of(const Words& words, const Surroundings& surroundings,
                                        const project::Provoke& provoke, lab::Laboratory& lab) {
  hunt::ProvokeRequest request;
  request.provoke = provoke;
  const fs::path genes = words.has("genes") ? surroundings.folder / words.value("genes")
                                            : lab.project().root / provoke.genes;
  request.genes = TRY(genes_in(genes, provoke));
  if (words.has("seed-with"))
    request.seed_with = TRY(genes_in(surroundings.folder / words.value("seed-with"), provoke));
  TRY(take_search(words, request));
  request.users = TRY(users_of(words, provoke));
  request.old_build = TRY(built(lab, words.argument("OLD", "HEAD~1")));
  request.new_build = TRY(built(lab, words.argument("NEW", "HEAD")));
  return request;
}

// None where nothing was shrunk.
std::vector<std::string> shortest(const provoke::Answer& answer) {
  std::vector<std::string> inputs;
  if (answer.shrunk)
    for (const auto gene : answer.shrunk->chromosome)
      inputs.push_back(answer.genes[gene]);
  return inputs;
}

std::string toml_text(const std::string& text) {
  return "\"" + replace_all(replace_all(text, "\\", "\\\\"), "\"", "\\\"") + "\"";
}

// Appends a benchmark to dragnet.toml, and puts its input beside the genes.
Result<> add_benchmark(const project::Project& project, const project::Provoke& provoke,
                       const std::string& name, const std::vector<std::string>& inputs) {
  const fs::path file = fs::path(provoke.genes).parent_path() / (name + ".input");
  const fs::path configuration = project.root / project::configuration_name;
  const auto before = TRY(read_file(configuration));
  std::string entry = fmt::format("\n[[benchmark]]\nname = {}\ncommand = {}\n", toml_text(name),
                                  toml_text(lab::command_on(provoke, file.string(), inputs)));
  if (provoke.feed != project::Feed::Arguments) {
    TRY(write_file(project.root / file, lab::input_text(inputs)));
    entry += fmt::format("inputs = [{}]\n", toml_text(file.string()));
  }
  TRY_WHILE("cannot add the benchmark",
            project::parse_project(before + entry, "dragnet.toml", project.root));
  return write_file(configuration, before + entry);
}

Result<project::Provoke> provoke_of(const Words& words, const project::Project& project) {
  if (!project.provoke)
    return words.misuse("dragnet.toml does not say which command takes the inputs",
                        "write [provoke] with genes and command");
  if (words.has("add-benchmark") && project.provoke->feed == project::Feed::Http)
    return words.misuse("a server that is visited cannot be a benchmark",
                        "--output writes the shortest requests to a file");
  const std::string name = words.value("add-benchmark");
  const bool taken = std::ranges::any_of(
      project.benchmarks, [&](const auto& benchmark) { return benchmark.name == name; });
  if (words.has("add-benchmark") && (taken || name.empty() || name.contains('/')))
    return words.misuse(fmt::format("'{}' cannot be the name of a new benchmark", name),
                        "take one that is free, without '/'");
  return *project.provoke;
}

// Writes the shortest inputs to where the user wants them.
Result<> keep(const Words& words, Surroundings& surroundings, const project::Project& project,
              const project::Provoke& provoke, const std::vector<std::string>& inputs) {
  if (words.has("output"))
    TRY(write_file(surroundings.folder / words.value("output"), lab::input_text(inputs)));
  if (words.has("add-benchmark")) {
    const std::string name = words.value("add-benchmark");
    TRY(add_benchmark(project, provoke, name, inputs));
    surroundings.progress.finished(fmt::format("added the benchmark {} to dragnet.toml", name));
  }
  return success();
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  auto project = TRY(open_project(surroundings));
  const auto provoke = TRY(provoke_of(words, project));
  const auto lab =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  const auto request = TRY(request_of(words, surroundings, provoke, *lab));
  auto answer = TRY(hunt::search_inputs(*lab, request, surroundings.progress));
  answer.project = lab->project().name;
  if (answer.slower)
    TRY(keep(words, surroundings, lab->project(), provoke, shortest(answer)));
  surroundings.output.write(words.value("format") == "json"
                                ? report::provocation_json(answer, version())
                                : report::provocation_text(answer, surroundings.colour));
  if (answer.outcome.compared == 0)
    return 2;
  return answer.slower ? 1 : 0;
}

std::vector<Option> options() {
  return {{.name = "genes",
           .value = "FILE",
           .meaning = "the inputs to choose from, one a line or in blocks; those of [provoke] when "
                      "it is left out",
           .completes = Completes::File},
          {.name = "length", .value = "N", .meaning = "inputs in a sequence", .standard = "50"},
          {.name = "generations",
           .value = "N",
           .meaning = "how long to search: 30 sequences, then 48 in each generation",
           .standard = "30"},
          {.name = "method",
           .value = "METHOD",
           .meaning = "guided: ours; published: the genetic algorithm of PerfImpact; random",
           .standard = "guided",
           .choices = {"guided", "published", "random"}},
          {.name = "metric",
           .value = "METRIC",
           .meaning = "what is to get worse",
           .standard = "instructions",
           .choices = metric_names(),
           .completes = Completes::Metric},
          {.letter = "n",
           .name = "runs",
           .value = "N",
           .meaning = "how often both commits run on a sequence where the metric is noisy",
           .standard = "3"},
          {.name = "users",
           .value = "N",
           .meaning = "how many users send the requests to a server at once; those of [provoke] "
                      "when it is left out"},
          {.letter = "j",
           .name = "jobs",
           .value = "N",
           .meaning = "how many programs run at once where the metric is exact; one for each core "
                      "when it is left out"},
          {.name = "seed-with",
           .value = "FILE",
           .meaning = "a sequence of inputs to begin with",
           .completes = Completes::File},
          {.name = "seed", .value = "N", .meaning = "of chance", .standard = "1"},
          {.letter = "o",
           .name = "output",
           .value = "FILE",
           .meaning = "write the shortest inputs to a file, if there are any",
           .completes = Completes::File},
          {.name = "add-benchmark",
           .value = "NAME",
           .meaning = "add the shortest inputs to dragnet.toml as a benchmark, if there are any"},
          format_option({"text", "json"})};
}

} // namespace

Command provoke_command() {
  Command command;
  command.name = "provoke";
  command.group = "Look";
  command.summary = "search inputs that make a commit slower than another";
  command.description =
      "Runs both commits on sequences of inputs (lines, statements, commands, arguments) from the "
      "pool that [provoke] of dragnet.toml names, searches for those on which the new one costs "
      "more, and shrinks the best to a few inputs that keep at least half of the difference. "
      "Sequences that a commit rejects, or on which it crashes or hangs, are told and not "
      "compared.\n\n"
      "Instructions are counted exactly, several sequences at once; other metrics are measured in "
      "turns. Every evaluation is kept in .dragnet at once: the same command goes on where it "
      "was.";
  command.arguments = {
      {"OLD", "the commit to compare with; the parent of HEAD when it is left out", 0, 1,
       Completes::Commit},
      {"NEW", "the commit to look at; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet provoke v1.0 HEAD", "which inputs make HEAD slower than v1.0?"},
      {"dragnet provoke v1.0 HEAD --method published", "by the published algorithm"},
      {"dragnet provoke v1.0 HEAD --add-benchmark slow-join", "and keep them as a benchmark"}};
  command.exits = {{0, "answered: no inputs were found on which it is slower"},
                   {1, "inputs were found on which it is slower by 1 % or more"},
                   {2,
                    "trouble: bad use, bad configuration, a build that failed, or no sequence that "
                    "both commits take"},
                   {130, "interrupted; what was evaluated is kept"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
