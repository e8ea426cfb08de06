// dragnet train: learn from a history which changes matter.

#include "analysis/select/dataset.h"
#include "analysis/select/example.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "check/prediction.h"
#include "check/training.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/laboratory.h"
#include "report/predictor.h"

#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

std::string examples_csv(const std::vector<select::Example>& examples) {
  std::string text = select::csv_header();
  for (const select::Example& example : examples)
    text += select::csv_row(example);
  return text;
}

Result<check::TrainingRequest> request_of(const Words& words, const lab::Laboratory& lab) {
  check::TrainingRequest request;
  request.commits = TRY(lab.repository().range(words.argument("RANGE", "")));
  if (request.commits.size() < 2)
    return words.misuse("training needs at least two commits", "dragnet train v1.0..HEAD");
  request.benchmarks = words.values("benchmark");
  request.pairs = words.value("pairs") == "all" ? check::Pairs::All : check::Pairs::Parents;
  return request;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  auto project = TRY(open_project(surroundings));
  const auto lab =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  const auto request = TRY(request_of(words, *lab));
  const auto set = TRY(check::make_examples(*lab, request));
  for (const std::string& note : set.notes)
    surroundings.progress.warn(note);
  const std::string csv = examples_csv(set.examples);
  if (words.has("examples"))
    TRY(write_file(surroundings.folder / words.value("examples"), csv));
  TRY(lab->archive().keep_predictor("examples", csv));
  TRY(check::learn(*lab, set.examples));
  surroundings.output.write(report::predictor_text(TRY(check::learned(*lab))));
  return 0;
}

} // namespace

Command train_command() {
  Command command;
  command.name = "train";
  command.group = "Predict";
  command.summary = "learn from a history which changes matter";
  command.description = "Builds and profiles every commit of a range, looks which benchmarks "
                        "changed from each to the "
                        "next (by executed instructions, 1 % or more), and learns to predict that "
                        "from what changed in "
                        "the functions. Takes as long as building and counting the commits takes; "
                        "what is kept is not "
                        "done again.";
  command.arguments = {
      {"RANGE", "the commits, as for git log: v1.0..HEAD", 1, 1, Completes::Commit}};
  command.options = {
      benchmark_option(),
      {.name = "pairs",
       .value = "WHICH",
       .meaning = "learn from each commit and its parent, or from all pairs when changes are few",
       .standard = "parents",
       .choices = {"parents", "all"}},
      {.name = "examples",
       .value = "FILE",
       .meaning = "write what was learned from, as comma-separated values",
       .completes = Completes::File}};
  command.examples = {{"dragnet train HEAD~100..HEAD", "learn from the last hundred commits"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
