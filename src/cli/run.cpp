// dragnet run: build commits and measure their benchmarks.

#include "model/run.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/record.h"
#include "report/records.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

// Whether any metric of the benchmark needs runs of this method.
bool needs(const lab::Laboratory& lab, const Benchmark& benchmark, Method method) {
  return std::ranges::any_of(benchmark.metrics, [&](const std::string& metric) {
    return lab.method_for(metric) == method;
  });
}

// One counted run is the truth; timed runs are repeated.
Result<bool> measure_benchmark(lab::Laboratory& lab, const Build& build, const Benchmark& benchmark,
                               std::size_t count) {
  bool finished = true;
  for (const Method method : {Method::Timed, Method::Counted}) {
    if (!needs(lab, benchmark, method))
      continue;
    const auto runs =
        TRY(lab.runs(build, benchmark, method, method == Method::Counted ? 1 : count));
    finished = finished && !runs.empty() && runs.back().finished();
  }
  return finished;
}

Result<bool> measure_commit(lab::Laboratory& lab, const Commit& commit, const Words& words) {
  const auto count = static_cast<std::size_t>(TRY(words.number("runs", 1, 1'000'000)));
  const auto build = TRY(lab.build(commit));
  if (build.outcome != BuildOutcome::Built)
    return does_not_build(build, lab.project());
  bool finished = true;
  for (const auto& benchmark : TRY(lab.cases(build, words.values("benchmark"))).benchmarks)
    finished = TRY(measure_benchmark(lab, build, benchmark, count)) && finished;
  return finished;
}

Result<> show(lab::Laboratory& lab, const Commit& commit, const Words& words,
              Surroundings& surroundings) {
  auto records = TRY(lab.store().records({commit.id.text, words.values("benchmark")}));
  const report::Knowledge known{lab.project().name, commit, std::move(records), lab.machine().key};
  surroundings.output.write(
      report::knowledge_text(known, surroundings.verbose, surroundings.colour));
  return success();
}

// One document, however many commits were asked for.
Result<> write_json(lab::Laboratory& lab, const std::vector<Commit>& commits, const Words& words,
                    Surroundings& surroundings) {
  std::vector<Record> all;
  for (const auto& commit : commits)
    std::ranges::move(TRY(lab.store().records({commit.id.text, words.values("benchmark")})),
                      std::back_inserter(all));
  surroundings.output.write(report::runs_json(all, lab.project().name, version()));
  return success();
}

// One commit that does not build must not keep the others from being measured; only an interruption
// ends all.
Result<bool> measure_and_show(lab::Laboratory& lab, const Commit& commit, const Words& words,
                              Surroundings& surroundings) {
  const auto finished = measure_commit(lab, commit, words);
  if (interrupted())
    return Error{"interrupted", "give the same command again: it goes on where it was"};
  if (!finished) {
    const Error& error = finished.error();
    surroundings.progress.warn(error.hint.empty() ? error.what
                                                  : error.what + "\nhint: " + error.hint);
    return false;
  }
  if (words.value("format") == "text")
    TRY(show(lab, commit, words, surroundings));
  return *finished;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  const auto memory = words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use;
  auto project = TRY(open_project(surroundings));
  auto lab = TRY(lab::Laboratory::open(std::move(project), memory, surroundings.progress));
  const auto commits =
      TRY(commits_named(lab->repository(), words.arguments("COMMIT"), surroundings.progress));
  int status = 0;
  for (const auto& commit : commits)
    if (!TRY(measure_and_show(*lab, commit, words, surroundings)))
      status = 2;
  if (words.value("format") == "json")
    TRY(write_json(*lab, commits, words, surroundings));
  return status;
}

} // namespace

Command measure_command() {
  Command command;
  command.name = "run";
  command.group = "Measure";
  command.summary = "build commits and measure their benchmarks";
  command.description =
      "Builds each commit in a clean checkout, once, and runs the benchmarks of dragnet.toml on it "
      "until as "
      "many runs are kept as asked for. Every sample is kept at once in .dragnet.\n\n"
      "To judge a change, use dragnet compare: runs that are minutes or days apart differ for "
      "reasons "
      "that have nothing to do with the commit.";
  command.arguments = {
      {"COMMIT", "what to measure; HEAD when it is left out", 0, any_number, Completes::Commit}};
  command.options = {benchmark_option(),
                     {.letter = "n",
                      .name = "runs",
                      .value = "RUNS",
                      .meaning = "how many runs",
                      .standard = "10"},
                     again_option(),
                     format_option({"text", "json"})};
  command.examples = {{"dragnet run", "measure HEAD"},
                      {"dragnet run v1.0 v1.1 -n 30 -b insert", "one benchmark, 30 runs each"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
