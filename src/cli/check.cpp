// dragnet check: from a commit to a verdict with reasons, within the user's time.

#include "check/check.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/learning.h"
#include "check/question.h"
#include "cli/outputs.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "hunt/check_blame.h"
#include "lab/laboratory.h"
#include "model/check.h"
#include "model/commit.h"
#include "model/prediction_record.h"
#include "model/run.h"
#include "project/project.h"
#include "report/check.h"
#include "store/archive.h"

#include <fmt/core.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

check::Profiling profiling_of(const Words& words) {
  const std::string when = words.value("profile");
  return when == "now"     ? check::Profiling::Now
         : when == "never" ? check::Profiling::Never
                           : check::Profiling::Later;
}

// What to judge the commit against: its first parent; or what the user named, and where that has
// moved on since the commit branched off, the commit that both come from.
Result<Commit> base_of(const Words& words, const lab::Laboratory& lab, const Commit& commit,
                       Progress& progress) {
  if (!words.has("base")) {
    if (commit.parents.empty())
      return Error{fmt::format("{} is the first commit: there is nothing to compare it with",
                               commit.id.brief()),
                   "dragnet run measures it alone"};
    return lab.repository().commit(commit.parents.front().text);
  }
  auto named = TRY(lab.repository().commit(words.value("base")));
  auto common = TRY(lab.repository().merge_base(named, commit));
  if (!common || common->id == named.id || common->id == commit.id)
    return named;
  progress.warn(fmt::format("{} has moved on: {} is judged against {}, which both come from",
                            words.value("base"), commit.id.brief(), common->id.brief()));
  return std::move(*common);
}

Result<check::CheckRequest> request_of(const Words& words, const lab::Laboratory& lab,
                                       Progress& progress) {
  check::CheckRequest request;
  request.budget = TRY(words.duration("budget"));
  request.audit_share = TRY(words.share("audit"));
  request.wanted = {.benchmarks = words.values("benchmark"),
                    .metrics = TRY(wanted_metrics(words)),
                    .smallest_effect = TRY(wanted_effect(words))};
  request.profiling = profiling_of(words);
  request.everything = words.has("all");
  auto commits = TRY(commits_named(lab.repository(), words.arguments("COMMIT"), progress));
  request.commit = std::move(commits.front());
  request.base = TRY(base_of(words, lab, request.commit, progress));
  request.base_may_be_older = !words.has("base");
  return request;
}

// A commit that does not build is trouble, whatever its benchmarks would say.
Result<> require_builds(const CheckedCommit& checked, const project::Project& project) {
  for (const Build* build : {&checked.commit, &checked.base})
    if (build->outcome != BuildOutcome::Built)
      return does_not_build(*build, project);
  return success();
}

Result<> keep(lab::Laboratory& lab, const CheckedCommit& checked) {
  return lab.archive().keep(store::KeptCheck{.old_build = checked.base.key,
                                             .new_build = checked.commit.key,
                                             .commit = checked.commit.commit.id.text,
                                             .made = milliseconds_since_1970(),
                                             .document = report::check_json(checked, version())});
}

// What serves the next check, after the answer to this one. Trouble with it is no trouble of the
// commit.
void prepare_next(lab::Laboratory& lab, const check::CheckAnswer& answer,
                  const check::CheckRequest& request, Progress& progress) {
  if (request.profiling == check::Profiling::Never || answer.stopped_by)
    return;
  const auto profiled = check::profile_for_next(lab, answer);
  const auto learned = profiled ? check::learn_from(lab, answer.checked, answer.benchmarks)
                                : Result<std::optional<PredictorEvaluation>>(profiled.error());
  if (!learned)
    progress.warn(fmt::format("the next prediction will know less: {}", learned.error().what));
  else if (*learned && (*learned)->replaced)
    progress.finished(
        fmt::format("learned from {} examples (dragnet predictor shows it)", (*learned)->examples));
}

std::string rendered(const Words& words, const CheckedCommit& checked, bool colours) {
  if (words.value("format") == "json")
    return report::check_json(checked, version());
  return report::check_text(checked, {.colours = colours, .reasons = words.has("why")});
}

Result<check::CheckAnswer> answer_to(const Words& words, lab::Laboratory& lab,
                                     const check::CheckRequest& request, Progress& progress) {
  auto answer = TRY(check::check(lab, request, progress));
  TRY(require_builds(answer.checked, lab.project()));
  if (words.has("blame") && !answer.stopped_by)
    TRY(hunt::blame_regressions(lab, answer.benchmarks, answer.checked, progress));
  TRY(keep(lab, answer.checked));
  return answer;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  const auto outputs = TRY(wanted_outputs(words, surroundings.folder, check_forms()));
  const auto memory = words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use;
  auto project = TRY(open_project(surroundings));
  auto lab = TRY(lab::Laboratory::open(std::move(project), memory, surroundings.progress));
  const auto request = TRY(request_of(words, *lab, surroundings.progress));
  const auto answer = TRY(answer_to(words, *lab, request, surroundings.progress));
  TRY(write_outputs(*lab, answer.checked, outputs));
  surroundings.output.write(rendered(words, answer.checked, surroundings.colour));
  prepare_next(*lab, answer, request, surroundings.progress);
  if (answer.stopped_by)
    return *answer.stopped_by;
  return exit_status(answer.checked);
}

std::vector<Option> options() {
  return {
      benchmark_option(),
      {.name = "base",
       .value = "COMMIT",
       .meaning = "judge against this commit in place of the first parent; a branch that has moved "
                  "on counts as of where it was left",
       .completes = Completes::Commit},
      {.name = "budget",
       .value = "TIME",
       .meaning = "how long to measure at most, kept pairs included; building and explaining come "
                  "on top",
       .standard = "10m"},
      {.name = "output",
       .value = "FILE",
       .meaning =
           "write the answer to a file, too; its name tells the form: .json .md .xml "
           "(JUnit) .sarif .html, or FORM=FILE with json, md, junit, sarif, html, bencher or "
           "github-benchmark",
       .repeated = true},
      {.name = "metric",
       .value = "METRIC",
       .meaning = "judge this metric in place of those in dragnet.toml",
       .repeated = true,
       .completes = Completes::Metric},
      {.name = "smallest-effect",
       .value = "SHARE",
       .meaning = "changes below this do not matter, for example 5%"},
      {.name = "audit",
       .value = "SHARE",
       .meaning = "measure this share of the dismissed anyway, chosen at random, to keep the score",
       .standard = "5%"},
      {.name = "blame",
       .meaning = "trace what regressed on both commits, too, and say which change is to blame; "
                  "needs both to be built once more, with hooks"},
      {.name = "all", .meaning = "measure what is dismissed, too"},
      {.name = "profile",
       .value = "WHEN",
       .meaning = "when to profile for predictions: later, for the next check, after the answer; "
                  "now, where the base has no profile; or never",
       .standard = "later",
       .choices = {"later", "now", "never"}},
      {.letter = "w", .name = "why", .meaning = "list what was skipped, with the reasons"},
      again_option(),
      format_option({"text", "json"})};
}

} // namespace

Command check_command() {
  Command command;
  command.name = "check";
  command.group = "Judge";
  command.summary = "say whether a commit made anything slower, and why";
  command.description =
      "Builds the commit and its base, predicts which benchmarks it can have changed, measures "
      "those in interleaved pairs where it is worth most until all are decided or the budget is "
      "spent, and confirms each regression by fresh pairs before it is announced. What regressed "
      "is explained by the functions whose cost changed; what moved although it executes nothing "
      "that the commit changed is exonerated and does not fail the check. What was not measured is "
      "told with its reason, and a random share of it is measured anyway to keep the score.\n\n"
      "Afterwards it profiles what the next prediction needs, and learns from what was measured. "
      "docs/ci.md shows how to run it for every commit.";
  command.arguments = {
      {"COMMIT", "the commit to check; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet check", "HEAD against its parent"},
      {"dragnet check --base origin/main --budget 5m --output report.html",
       "a branch, with a page"},
      {"dragnet check HEAD~3 --why", "another commit, and why benchmarks were skipped"}};
  command.exits = {{0, "nothing regressed; what was not measured was dismissed with a reason"},
                   {1, "something regressed, whatever else happened"},
                   {2, "trouble: bad use, bad configuration, a build or a run that failed"},
                   {3, "inconclusive: the budget was spent before all was decided"},
                   {4, "nothing was measured, although there was something to measure"},
                   {130, "interrupted"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
