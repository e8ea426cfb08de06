// dragnet profile: what do the benchmarks execute?

#include "report/profile.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/laboratory.h"
#include "model/run.h"

#include <cstddef>
#include <string>
#include <utility>

namespace dragnet::cli {
namespace {

constexpr std::size_t shown_at_first = 10;

// One benchmark that cannot be profiled must not keep the others from it.
Result<bool> profile_all(lab::Laboratory& lab, const Build& build, const Words& words,
                         Surroundings& surroundings, report::ProfiledCommit& profiled) {
  bool all = true;
  for (const auto& benchmark : TRY(lab.cases(build, words.values("benchmark"))).benchmarks) {
    auto profile = lab.profile(build, benchmark);
    if (interrupted())
      return Error{"interrupted", "give the same command again: it goes on where it was"};
    if (profile) {
      profiled.benchmarks.push_back({benchmark.name, std::move(*profile)});
      continue;
    }
    const Error& error = profile.error();
    surroundings.progress.warn(error.hint.empty() ? error.what
                                                  : error.what + "\nhint: " + error.hint);
    all = false;
  }
  return all;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  auto project = TRY(open_project(surroundings));
  const auto memory = words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use;
  const auto lab = TRY(lab::Laboratory::open(std::move(project), memory, surroundings.progress));
  const auto commit = TRY(lab->repository().commit(words.argument("COMMIT", "HEAD")));
  const auto build = TRY(lab->build(commit));
  if (build.outcome != BuildOutcome::Built)
    return does_not_build(build, lab->project());
  report::ProfiledCommit profiled{lab->project().name, commit, {}};
  const bool all = TRY(profile_all(*lab, build, words, surroundings, profiled));
  surroundings.output.write(words.value("format") == "json"
                                ? report::profiles_json(profiled, version())
                                : report::profiles_text(profiled,
                                                        words.has("all") ? 0 : shown_at_first,
                                                        surroundings.colour));
  return all ? 0 : 2;
}

} // namespace

Command profile_command() {
  Command command;
  command.name = "profile";
  command.group = "Predict";
  command.summary = "count what the benchmarks of a commit execute";
  command.description =
      "Runs each benchmark once in an emulator that counts the calls and executed instructions of "
      "every function, exactly and repeatably; or in valgrind where the emulator cannot; a program "
      "that takes too long for either is sampled. The programs are those that are timed, "
      "unchanged. Profiles are kept; dragnet select compares later commits with them.";
  command.arguments = {{"COMMIT", "which one; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = {
      benchmark_option(),
      {.letter = "a", .name = "all", .meaning = "show all functions, not only the first 10"},
      {.name = "again", .meaning = "profile anew although profiles are kept"},
      format_option({"text", "json"})};
  command.examples = {{"dragnet profile", "profile all benchmarks on HEAD"},
                      {"dragnet profile v1.0 -b insert --all", "one benchmark, all functions"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
