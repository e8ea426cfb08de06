// dragnet select: which benchmarks can a commit have changed?

#include "analysis/select/methods.h"
#include "base/hash.h"
#include "base/result.h"
#include "check/prediction.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "model/run.h"
#include "report/prediction.h"

#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

Result<check::PredictionRequest> request_of(const Words& words, lab::Laboratory& laboratory) {
  check::PredictionRequest request;
  request.audit_share = words.has("audit") ? TRY(words.share("audit")) : 0;
  request.policy.method = words.value("method") == name(select::Method::Perphecy)
                              ? select::Method::Perphecy
                              : select::Method::Evidence;
  using Line = history::Repository::Line;
  auto line = TRY(laboratory.repository().ancestors(words.argument("COMMIT", "HEAD"),
                                                    check::farthest_base + 1, Line::First));
  const Commit commit = line.front();
  line.erase(line.begin());
  request.bases = words.has("base")
                      ? std::vector{TRY(laboratory.repository().commit(words.value("base")))}
                      : std::move(line);
  request.build = TRY(laboratory.build(commit));
  if (request.build.outcome != BuildOutcome::Built)
    return does_not_build(request.build, laboratory.project());
  auto cases = TRY(laboratory.cases(request.build, words.values("benchmark")));
  request.benchmarks = std::move(cases.benchmarks);
  request.seed = seed_of(commit.id.text);
  return request;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  auto project = TRY(open_project(surroundings));
  const auto laboratory =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  const auto request = TRY(request_of(words, *laboratory));
  auto answer = TRY(check::predict(*laboratory, request));
  report::PredictedCommit predicted{.project = laboratory->project().name,
                                    .commit = request.build.commit,
                                    .method = words.value("method"),
                                    .trained = answer.trained,
                                    .rows = {}};
  predicted.rows.reserve(answer.advice.size());
  for (check::Advice& advice : answer.advice)
    predicted.rows.push_back({std::move(advice.decision), std::move(advice.base), advice.hops});
  surroundings.output.write(
      words.value("format") == "json"
          ? report::prediction_json(predicted, version())
          : report::prediction_text(predicted,
                                    words.has("why") ? report::Detail::Why : report::Detail::Short,
                                    surroundings.colour));
  return 0;
}

} // namespace

Command select_command() {
  Command command;
  command.name = "select";
  command.group = "Predict";
  command.summary = "say which benchmarks a commit can have changed";
  command.description =
      "Compares the functions of the commit with those of its nearest ancestor that has profiles, "
      "and says for each benchmark whether to run it, with the probability of a change and the "
      "reasons. A benchmark is only dismissed for a reason that can be checked; what is not known "
      "is run. Measures nothing.";
  command.arguments = {{"COMMIT", "which one; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = {
      benchmark_option(),
      {.name = "base",
       .value = "COMMIT",
       .meaning = "compare with this commit, which must have profiles",
       .completes = Completes::Commit},
      {.name = "method",
       .value = "NAME",
       .meaning = "how to decide: by learned evidence, or by thresholds as Perphecy published them",
       .standard = "evidence",
       .choices = {"evidence", "perphecy"}},
      {.name = "audit",
       .value = "SHARE",
       .meaning = "run this share of the dismissed anyway, chosen at random, to keep the score"},
      {.letter = "w", .name = "why", .meaning = "show all reasons"},
      format_option({"text", "json"})};
  command.examples = {
      {"dragnet select", "what to run for HEAD"},
      {"dragnet select --why --audit 5%", "with all reasons, and a sample of the dismissed"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
