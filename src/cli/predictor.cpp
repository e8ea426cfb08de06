// dragnet predictor: what was learned, and how good it is.

#include "report/predictor.h"
#include "analysis/select/dataset.h"
#include "analysis/select/evaluation.h"
#include "analysis/select/methods.h"
#include "base/result.h"
#include "check/learning.h"
#include "check/prediction.h"
#include "check/score.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/laboratory.h"

#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

Result<int> show(lab::Laboratory& lab, const Words& words, Surroundings& surroundings) {
  const auto learned = TRY(check::learned(lab));
  const auto known = TRY(check::score_so_far(lab));
  const report::PredictionScore score{known.predictions, known.score, known.audits,
                                      known.audits_known, known.audits_missed};
  const auto evaluation = TRY(check::last_evaluation(lab));
  surroundings.output.write(words.value("format") == "json"
                                ? report::predictor_json(learned, score, evaluation, version())
                                : report::predictor_text(learned) +
                                      (evaluation ? report::evaluation_text(*evaluation) : "") +
                                      report::score_text(score));
  return 0;
}

Result<int> evaluate(lab::Laboratory& lab, const Words& words, Surroundings& surroundings) {
  const auto text = TRY(lab.archive().predictor("examples"));
  if (!text)
    return Error{"nothing was learned in this project yet", "dragnet train HEAD~100..HEAD"};
  const auto examples = TRY(select::parse_examples(*text));
  const auto all = select::all_of(examples);
  std::vector<report::MethodScore> scores;
  for (const select::Trainer& trainer : select::trainers())
    scores.push_back({trainer.name, select::full(trainer.train, all),
                      select::cross_validated(trainer.train, all, {})});
  surroundings.output.write(
      words.value("format") == "json"
          ? report::evaluation_json(scores, examples.size(), version())
          : report::evaluation_text(scores, examples.size(), surroundings.colour));
  return 0;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  auto project = TRY(open_project(surroundings));
  const auto lab =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  return words.argument("WHAT", "show") == "evaluate" ? evaluate(*lab, words, surroundings)
                                                      : show(*lab, words, surroundings);
}

} // namespace

Command predictor_command() {
  Command command;
  command.name = "predictor";
  command.group = "Predict";
  command.summary = "show what was learned and how good it is";
  command.description =
      "show: what was learned by dragnet train and from checks, how the last training did, and the "
      "score so far: of all predictions whose outcome is known, by a check or by profiles, how "
      "many "
      "changes were foreseen and how many benchmarks rightly dismissed. "
      "evaluate: 10-fold cross-validation of all methods on the examples of the last training.";
  command.arguments = {{"WHAT", "show or evaluate", 0, 1, Completes::Choice, {"show", "evaluate"}}};
  command.options = {format_option({"text", "json"})};
  command.examples = {
      {"dragnet predictor", "what was learned, and the score"},
      {"dragnet predictor evaluate", "how well each method would have predicted this history"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
