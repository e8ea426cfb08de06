// dragnet compare: did it get slower from one commit to another?

#include "analysis/compare/compare.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/question.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/laboratory.h"
#include "model/run.h"
#include "report/comparison.h"

#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

// Both sides built; that one does not build is trouble here.
Result<> build_sides(const Words& words, lab::Laboratory& lab, Progress& progress,
                     compare::Question& asked) {
  const auto base_commit = TRY(lab.repository().commit(words.argument("BASE")));
  const auto new_commits = TRY(commits_named(lab.repository(), words.arguments("NEW"), progress));
  asked.base = TRY(lab.build(base_commit));
  asked.candidate = TRY(lab.build(new_commits.front()));
  for (const Build* build : {&asked.base, &asked.candidate})
    if (build->outcome != BuildOutcome::Built)
      return does_not_build(*build, lab.project());
  return success();
}

Result<compare::Question> question(const Words& words, lab::Laboratory& lab, Progress& progress,
                                   std::vector<std::string>& notes) {
  compare::Question asked;
  asked.budget = TRY(words.duration("budget"));
  const check::Wanted wanted{.benchmarks = words.values("benchmark"),
                             .metrics = TRY(wanted_metrics(words)),
                             .smallest_effect = TRY(wanted_effect(words))};
  TRY(build_sides(words, lab, progress, asked));
  auto common = TRY(check::common_benchmarks(lab, asked.base, asked.candidate, wanted));
  asked.benchmarks = std::move(common.benchmarks);
  notes = std::move(common.notes);
  // Whoever measures again wants to see the machine, not the commits.
  if (!words.has("again"))
    asked.same_programs = lab.same_programs(asked.base, asked.candidate);
  if (asked.same_programs)
    notes.emplace_back("Both commits build the same code and data: nothing was measured (--again "
                       "measures all the same).");
  return asked;
}

std::string rendered(const Words& words, const compare::Comparison& comparison,
                     const report::Heading& heading, bool colours) {
  if (words.value("format") == "json")
    return report::comparison_json(comparison, heading);
  return report::comparison_text(comparison, heading,
                                 {.colours = colours, .reasons = words.has("why")});
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  const auto memory = words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use;
  auto project = TRY(open_project(surroundings));
  auto lab = TRY(lab::Laboratory::open(std::move(project), memory, surroundings.progress));
  report::Heading heading{lab->project().name, lab->machine(), version(), {}};
  const auto asked = TRY(question(words, *lab, surroundings.progress, heading.notes));
  const auto comparison = TRY(compare::compare(*lab, asked, surroundings.progress));
  surroundings.output.write(rendered(words, comparison, heading, surroundings.colour));
  if (comparison.stopped_by)
    return *comparison.stopped_by;
  return compare::exit_status(comparison);
}

} // namespace

namespace {

std::vector<Option> options() {
  return {benchmark_option(),
          {.name = "metric",
           .value = "METRIC",
           .meaning = "judge this metric in place of those in dragnet.toml",
           .repeated = true,
           .completes = Completes::Metric},
          {.name = "budget",
           .value = "TIME",
           .meaning = "how long to measure at most, kept pairs included",
           .standard = "5m"},
          {.name = "smallest-effect",
           .value = "SHARE",
           .meaning = "changes below this do not matter, for example 5%"},
          {.name = "why", .meaning = "tell for each verdict the rule that made it"},
          again_option(),
          format_option({"text", "json"})};
}

} // namespace

Command compare_command() {
  Command command;
  command.name = "compare";
  command.group = "Judge";
  command.summary = "say whether a commit made the program slower";
  command.description = "Builds both commits, runs the benchmarks on them in interleaved pairs "
                        "until each is decided or the budget is "
                        "spent, and prints a verdict per benchmark and metric: regressed, "
                        "improved, unchanged, inconclusive or failed.\n\n"
                        "The order within a pair is random, the test may look after every pair, "
                        "and the verdicts are corrected for the "
                        "number of benchmarks: on two equal programs at most one benchmark in a "
                        "hundred raises a false alarm.\n\n"
                        "Every run is kept at once in .dragnet. The same question asked twice "
                        "measures nothing twice, and after an "
                        "interruption the same command goes on where it was.";
  command.arguments = {
      {"BASE", "the commit to compare with", 1, 1, Completes::Commit},
      {"NEW", "the commit to judge; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet compare main", "judge HEAD against the branch main"},
      {"dragnet compare HEAD~1 HEAD -b insert --budget 1m", "one benchmark, one minute"},
      {"dragnet compare v1.0 v1.1 --metric instructions", "by executed instructions alone"}};
  command.exits = {{0, "nothing regressed"},
                   {1, "something regressed, whatever else happened"},
                   {2, "trouble: bad use, bad configuration, a build or a run that failed"},
                   {3, "inconclusive: the budget was spent before all was decided"},
                   {4, "nothing was measured"},
                   {130, "interrupted"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
