#include "check/learning.h"

#include "analysis/select/dataset.h"
#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/probability.h"
#include "analysis/select/select.h"
#include "analysis/select/succession.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "check/prediction.h"
#include "check/score.h"
#include "check/training.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/function.h"
#include "model/prediction_record.h"
#include "model/verdict.h"
#include "store/archive.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// Names under which texts are kept beside the predictor itself.
constexpr auto trained_examples = "examples";
constexpr auto checked_examples = "checked examples";
constexpr auto evaluation_name = "evaluation";

// Fewer new examples than this teach nothing that is worth the time.
constexpr std::size_t enough_new = 8;

const Benchmark* named(const std::vector<Benchmark>& benchmarks, const std::string& name) {
  const auto found = std::ranges::find(benchmarks, name, &Benchmark::name);
  return found == benchmarks.end() ? nullptr : &*found;
}

KnownRate known(const select::Rate& rate) {
  const auto interval = rate.interval();
  return {.good = rate.good / rate.repetitions,
          .cases = rate.cases / rate.repetitions,
          .low = rate.cases == 0 ? 0 : interval.low,
          .high = rate.cases == 0 ? 1 : interval.high};
}

// What measuring showed counts as much as what was counted: either makes a change.
void join_truths(std::vector<select::Example>& examples) {
  for (select::Example& example : examples) {
    const bool hit = example.truth_by_time == select::Truth::Hit;
    if (hit || example.truth_by_count == select::Truth::Unknown)
      example.truth = example.truth_by_time;
  }
}

Result<std::vector<select::Example>> kept(lab::Laboratory& laboratory, const char* name) {
  const auto text = TRY(laboratory.archive().predictor(name));
  if (!text)
    return std::vector<select::Example>();
  auto examples = select::parse_examples(*text);
  // Another version may have known other features: then it begins anew.
  return examples ? std::move(*examples) : std::vector<select::Example>();
}

auto question_of(const select::Example& example) {
  return std::tuple(example.old_commit, example.new_commit, example.benchmark);
}

// Adds examples to those that are kept; a question that is asked again keeps its last answer.
Result<std::size_t> add(lab::Laboratory& laboratory, const std::vector<select::Example>& fresh) {
  auto all = TRY(kept(laboratory, checked_examples));
  const std::size_t before = all.size();
  for (const select::Example& example : fresh) {
    std::erase_if(all, [&](const select::Example& other) {
      return question_of(other) == question_of(example);
    });
    all.push_back(example);
  }
  std::string text = select::csv_header();
  for (const select::Example& example : all)
    text += select::csv_row(example);
  TRY(laboratory.archive().keep_predictor(checked_examples, text));
  return all.size() - before;
}

// What was counted on both sides teaches as much as what was timed.
bool is_known(const CheckedBenchmark& benchmark) {
  return was_measured(benchmark) || benchmark.basis == select::name(select::Basis::Counted);
}

Result<std::vector<select::Example>> examples_of(lab::Laboratory& laboratory,
                                                 const CheckedCommit& checked,
                                                 const std::vector<Benchmark>& benchmarks) {
  std::vector<select::Example> examples;
  std::optional<Difference> difference;
  for (const CheckedBenchmark& one : checked.benchmarks) {
    const Benchmark* benchmark = named(benchmarks, one.name);
    if (benchmark == nullptr || measures_itself(benchmark->suite) || !is_known(one))
      continue;
    const auto before = TRY(laboratory.kept_profile(checked.base.commit, *benchmark));
    const auto now = TRY(laboratory.kept_profile(checked.commit.commit, *benchmark));
    if (!before || !now)
      continue;
    if (!difference)
      difference = TRY(laboratory.difference(checked.base, checked.commit));
    std::string without_commas = one.name;
    std::ranges::replace(without_commas, ',', ';');
    examples.push_back(
        select::example_of({.subject = checked.project,
                            .benchmark = without_commas,
                            .old_commit = checked.base.commit.id.text,
                            .new_commit = checked.commit.commit.id.text,
                            .position = static_cast<std::size_t>(checked.commit.commit.time),
                            .hops = 1,
                            .old_instructions = static_cast<double>(before->instructions),
                            .new_instructions = static_cast<double>(now->instructions),
                            .truth_by_time = truth_of(name(one.verdict))},
                           *difference, *before, {}));
  }
  return examples;
}

Json rate_json(const KnownRate& rate) {
  return {{"good", rate.good}, {"cases", rate.cases}, {"low", rate.low}, {"high", rate.high}};
}

KnownRate rate_from(const Json& json) {
  return {.good = json.value("good", std::size_t{0}),
          .cases = json.value("cases", std::size_t{0}),
          .low = json.value("low", 0.0),
          .high = json.value("high", 1.0)};
}

Result<> keep(lab::Laboratory& laboratory, const PredictorEvaluation& evaluation) {
  const Json json{{"examples", evaluation.examples},
                  {"changes", evaluation.changes},
                  {"hit", rate_json(evaluation.hit)},
                  {"dismiss", rate_json(evaluation.dismiss)},
                  {"hit_before", rate_json(evaluation.hit_before)},
                  {"dismiss_before", rate_json(evaluation.dismiss_before)},
                  {"replaced", evaluation.replaced}};
  return laboratory.archive().keep_predictor(evaluation_name, to_text(json));
}

PredictorEvaluation evaluate(const std::vector<select::Example>& examples,
                             const select::ProbabilityPredictor& present) {
  const auto succession = select::compare_successor(select::all_of(examples), present);
  return {.examples = examples.size(),
          .changes = succession.candidate.hit.cases,
          .hit = known(succession.candidate.hit),
          .dismiss = known(succession.candidate.dismiss),
          .hit_before = known(succession.present.hit),
          .dismiss_before = known(succession.present.dismiss),
          .replaced = succession.replaces};
}

// All that can be learned from: what dragnet train made, and what checks have shown since.
Result<std::vector<select::Example>> all_examples(lab::Laboratory& laboratory) {
  auto all = TRY(kept(laboratory, checked_examples));
  join_truths(all);
  std::set<std::tuple<std::string, std::string, std::string>> questions;
  for (const select::Example& example : all)
    questions.insert(question_of(example));
  for (select::Example& example : TRY(kept(laboratory, trained_examples)))
    if (!questions.contains(question_of(example)))
      all.push_back(std::move(example));
  return all;
}

} // namespace

Result<> keep_outcomes(lab::Laboratory& laboratory, const CheckedCommit& checked,
                       const std::vector<Benchmark>& benchmarks) {
  for (const CheckedBenchmark& one : checked.benchmarks) {
    const Benchmark* benchmark = named(benchmarks, one.name);
    if (benchmark == nullptr || !was_measured(one))
      continue;
    auto key = TRY(laboratory.definition_key(*benchmark));
    TRY(laboratory.archive().keep(store::Outcome{.old_build = checked.base.key,
                                                 .new_build = checked.commit.key,
                                                 .benchmark = std::move(key),
                                                 .verdict = std::string(name(one.verdict)),
                                                 .seen = milliseconds_since_1970()}));
  }
  return success();
}

Result<> add_record(lab::Laboratory& laboratory, PredictionRecord& record) {
  const auto score = TRY(score_so_far(laboratory));
  record.hit = known(score.score.hit);
  record.dismiss = known(score.score.dismiss);
  record.audits = score.audits_known;
  record.audits_missed = score.audits_missed;
  return success();
}

Result<std::optional<PredictorEvaluation>> learn_from(lab::Laboratory& laboratory,
                                                      const CheckedCommit& checked,
                                                      const std::vector<Benchmark>& benchmarks) {
  const auto fresh = TRY(examples_of(laboratory, checked, benchmarks));
  TRY(add(laboratory, fresh));
  const auto all = TRY(all_examples(laboratory));
  const auto last = TRY(last_evaluation(laboratory));
  if (all.size() < (last ? last->examples : 0) + enough_new)
    return std::optional<PredictorEvaluation>();
  const auto present = TRY(learned(laboratory));
  const PredictorEvaluation evaluation = evaluate(all, present.probability);
  if (evaluation.changes < select::fewest_hits)
    return std::optional<PredictorEvaluation>();
  if (evaluation.replaced)
    TRY(learn(laboratory, all));
  TRY(keep(laboratory, evaluation));
  return std::optional(evaluation);
}

Result<std::optional<PredictorEvaluation>> last_evaluation(lab::Laboratory& laboratory) {
  const auto text = TRY(laboratory.archive().predictor(evaluation_name));
  if (!text)
    return std::optional<PredictorEvaluation>();
  const Json json = TRY(parse_json(*text));
  return std::optional(
      PredictorEvaluation{.examples = json.value("examples", std::size_t{0}),
                          .changes = json.value("changes", std::size_t{0}),
                          .hit = rate_from(json.value("hit", Json::object())),
                          .dismiss = rate_from(json.value("dismiss", Json::object())),
                          .hit_before = rate_from(json.value("hit_before", Json::object())),
                          .dismiss_before = rate_from(json.value("dismiss_before", Json::object())),
                          .replaced = json.value("replaced", false)});
}

} // namespace dragnet::check
