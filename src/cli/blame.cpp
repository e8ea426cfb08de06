// dragnet blame: which code change made it slower?

#include "report/blame.h"
#include "analysis/blame/answer.h"
#include "analysis/blame/rank.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "hunt/blaming.h"
#include "hunt/provoking.h"
#include "hunt/verification.h"
#include "lab/feeding.h"
#include "lab/laboratory.h"
#include "lab/stand_ins.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/metric.h"
#include "model/run.h"
#include "project/project.h"

#include <cstddef>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

namespace fs = std::filesystem;

// The command of [provoke] with the inputs of a file.
Result<Benchmark> input_benchmark(const Words& words, const Surroundings& surroundings,
                                  const lab::Laboratory& lab) {
  const auto& provoke = lab.project().provoke;
  if (!provoke)
    return words.misuse("--input needs the command that takes it",
                        "write [provoke] with genes and command to dragnet.toml");
  if (provoke->feed == project::Feed::Http)
    return words.misuse(
        "--input is for programs that end, and the command of [provoke] is a server",
        "write a benchmark that visits it, and name that by -b");
  std::error_code problem;
  const fs::path file = fs::canonical(surroundings.folder / words.value("input"), problem);
  if (problem)
    return Error{fmt::format("cannot read {}: {}", words.value("input"), problem.message()), {}};
  const fs::path below = fs::relative(file, lab.project().root, problem);
  Benchmark benchmark;
  benchmark.name = words.value("input");
  const auto text = TRY(read_file(file));
  benchmark.command = lab::command_on(*provoke, file.string(), hunt::read_genes(text));
  if (!below.empty() && !below.string().starts_with(".."))
    benchmark.inputs = {below.string()};
  return benchmark;
}

Result<Benchmark> wanted_benchmark(const Words& words, const Surroundings& surroundings,
                                   lab::Laboratory& lab, const Commit& commit) {
  if (words.has("input"))
    return input_benchmark(words, surroundings, lab);
  auto cases = TRY(cases_at(lab, words.values("benchmark"), commit));
  if (cases.benchmarks.size() != 1)
    return words.misuse(
        fmt::format("one benchmark at a time, and these are {}: {}", cases.benchmarks.size(),
                    join(cases.names(), ", ")),
        fmt::format("dragnet blame OLD NEW -b {}", shell_quoted(cases.benchmarks.front().name)));
  return std::move(cases.benchmarks.front());
}

Result<Build> traced(lab::Laboratory& lab, const Commit& commit) {
  Build build = TRY(lab::build_for(Purpose::Traced, lab, commit));
  if (build.outcome != BuildOutcome::Built)
    return while_doing("with hooks for the tracer", does_not_build(build, lab.project()));
  return build;
}

Result<hunt::VerifyRequest> verify_request(const Words& words, const Benchmark& benchmark) {
  hunt::VerifyRequest request;
  request.measuring.benchmark = benchmark;
  request.measuring.metric = words.value("metric");
  if (!is_known_metric(request.measuring.metric))
    return words.misuse(fmt::format("there is no metric '{}'", request.measuring.metric),
                        did_you_mean(request.measuring.metric, metric_names()));
  request.measuring.pairs = static_cast<std::size_t>(TRY(words.number("pairs", 2, 1000)));
  request.tries = static_cast<std::size_t>(TRY(words.number("tries", 1, 1000)));
  return request;
}

Result<hunt::BlameRequest> blame_request(const Words& words, const Surroundings& surroundings,
                                         lab::Laboratory& lab) {
  const auto old_commit = TRY(lab.repository().commit(words.argument("OLD", "HEAD~1")));
  const auto new_commit = TRY(lab.repository().commit(words.argument("NEW", "HEAD")));
  hunt::BlameRequest request;
  request.benchmark = TRY(wanted_benchmark(words, surroundings, lab, new_commit));
  TRY(verify_request(words, request.benchmark));
  request.method = blame::method_named(words.value("method")).value_or(blame::Method::Credited);
  if (words.value("cost") != "auto")
    request.cost = words.value("cost") == "time" ? blame::Cost::Time : blame::Cost::Instructions;
  request.runs = static_cast<std::size_t>(TRY(words.number("runs", 1, 1000)));
  request.shown = static_cast<std::size_t>(TRY(words.number("top", 1, 1'000'000)));
  request.boundary = words.has("boundary") ? words.value("boundary") : lab.project().boundary;
  request.old_build = TRY(traced(lab, old_commit));
  request.new_build = TRY(traced(lab, new_commit));
  return request;
}

Result<blame::Answer> answer_to(const Words& words, const Surroundings& surroundings,
                                lab::Laboratory& lab) {
  const auto request = TRY(blame_request(words, surroundings, lab));
  auto answer = TRY(hunt::find_blame(lab, request, surroundings.progress));
  answer.project = lab.project().name;
  const auto verifying = TRY(verify_request(words, request.benchmark));
  if (words.has("verify"))
    TRY(hunt::verify(lab, verifying, answer, surroundings.progress));
  return answer;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  const auto memory = words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use;
  auto project = TRY(open_project(surroundings));
  const auto lab = TRY(lab::Laboratory::open(std::move(project), memory, surroundings.progress));
  const auto answer = TRY(answer_to(words, surroundings, *lab));
  report::BlameLook look;
  look.colours = surroundings.colour;
  look.most = static_cast<std::size_t>(TRY(words.number("top", 1, 1'000'000)));
  surroundings.output.write(words.value("format") == "json" ? report::blame_json(answer, version())
                                                            : report::blame_text(answer, look));
  return 0;
}

std::vector<Option> options() {
  return {{.letter = "b",
           .name = "benchmark",
           .value = "NAME",
           .meaning = "the benchmark that got slower; may be left out where there is only one",
           .repeated = true,
           .completes = Completes::Benchmark},
          {.name = "input",
           .value = "FILE",
           .meaning = "instead: the command of [provoke], with this file as its input",
           .completes = Completes::File},
          {.name = "method",
           .value = "METHOD",
           .meaning =
               "what orders the changes. credited: what a function decides about on each call "
               "path, as far as its edited code shows it; paths: the same, whatever its edited "
               "code does; own: its own cost; subtree: with all that it calls; published: the "
               "sum over its impact set, as PerfImpact has it",
           .standard = "credited",
           .choices = {"credited", "paths", "own", "subtree", "published"}},
          {.name = "cost",
           .value = "COST",
           .meaning = "what the calls cost. instructions: counted inside an emulator, the same in "
                      "every run; time: by the clock, with all that disturbs it; auto: time where "
                      "it rose far more than instructions did",
           .standard = "auto",
           .choices = {"auto", "instructions", "time"}},
          {.name = "verify",
           .meaning = "try the changes: old with one of them, new without it, measured"},
          {.name = "metric",
           .value = "METRIC",
           .meaning = "what --verify measures",
           .standard = "instructions",
           .choices = metric_names(),
           .completes = Completes::Metric},
          {.name = "pairs",
           .value = "N",
           .meaning = "how often --verify runs both sides where the metric is noisy",
           .standard = "10"},
          {.name = "tries",
           .value = "N",
           .meaning = "how many suspects --verify tries one by one before it looks for sets",
           .standard = "5"},
          {.letter = "n",
           .name = "runs",
           .value = "N",
           .meaning = "how often to trace each commit",
           .standard = "3"},
          {.name = "boundary",
           .value = "FUNCTION",
           .meaning = "the function whose return ends one input; that of [blame] when it is left "
                      "out, and where there is none, each process is one input"},
          {.name = "top", .value = "N", .meaning = "how many functions to show", .standard = "10"},
          {.name = "again", .meaning = "build and measure anew although results are kept"},
          format_option({"text", "json"})};
}

} // namespace

Command blame_command() {
  Command command;
  command.name = "blame";
  command.group = "Look";
  command.summary = "say which code change made a benchmark slower";
  command.description =
      "Builds both commits with hooks at the beginning and end of functions (the build files stay "
      "as they are: compilers are found through stand-ins on PATH, CC and CXX), traces the "
      "benchmark on both, and ranks the functions that differ by how much of the difference in "
      "cost they are to blame for, with how their source changed and the commits that did it.\n\n"
      "A rank is a suspicion. --verify tries it: it builds the old commit with the change of one "
      "function, and the new one without it, and measures what remains of the regression; where "
      "no single change has half of it, delta debugging finds a small set that has. What does not "
      "build by itself is told. Builds and measurements are kept in .dragnet.";
  command.arguments = {
      {"OLD", "the commit that was fast; the parent of HEAD when it is left out", 0, 1,
       Completes::Commit},
      {"NEW", "the commit that is slow; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet blame v1.0 HEAD -b insert", "which change made insert slower?"},
      {"dragnet blame v1.0 HEAD -b insert --verify", "and is it so?"},
      {"dragnet blame v1.0 HEAD --input slow.sql", "for an input that `dragnet provoke` found"}};
  command.exits = {{0, "answered"},
                   {2, "trouble: bad use, bad configuration, a build or a run that failed"},
                   {130, "interrupted"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
