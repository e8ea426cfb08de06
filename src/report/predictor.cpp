#include "report/predictor.h"
#include "analysis/select/evaluation.h"
#include "analysis/select/learned_json.h"
#include "analysis/select/select.h"
#include "base/json.h"
#include "model/prediction_record.h"
#include "report/documents.h"
#include "report/table.h"

#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::report {
namespace {

std::string rate_text(const select::Rate& rate) {
  if (rate.cases == 0)
    return "no cases";
  const auto interval = rate.interval();
  return fmt::format("{:.1f} % ({:.1f} to {:.1f}, n={})", 100 * rate.value(), 100 * interval.low,
                     100 * interval.high, rate.cases / rate.repetitions);
}

Json rate_json(const select::Rate& rate) {
  if (rate.cases == 0)
    return {{"cases", 0}};
  const auto interval = rate.interval();
  return {{"rate", rate.value()},
          {"low", interval.low},
          {"high", interval.high},
          {"cases", rate.cases / rate.repetitions}};
}

Json score_json(const select::Score& score) {
  return {{"hit", rate_json(score.hit)}, {"dismiss", rate_json(score.dismiss)}};
}

std::string known_text(const KnownRate& rate) {
  return fmt::format("{} of {}", rate.good, rate.cases);
}

Json known_json(const KnownRate& rate) {
  return {{"good", rate.good}, {"cases", rate.cases}, {"low", rate.low}, {"high", rate.high}};
}

Json evaluation_json(const PredictorEvaluation& evaluation) {
  return {{"examples", evaluation.examples},
          {"changes", evaluation.changes},
          {"hit", known_json(evaluation.hit)},
          {"dismiss", known_json(evaluation.dismiss)},
          {"hit_before", known_json(evaluation.hit_before)},
          {"dismiss_before", known_json(evaluation.dismiss_before)},
          {"replaced", evaluation.replaced}};
}

} // namespace

std::string predictor_text(const select::Learned& learned) {
  const auto& predictor = learned.probability;
  if (!predictor.trained)
    return fmt::format("Untrained: {} changes and {} non-changes are too few to learn from. "
                       "Everything that executes changed code is run.\n",
                       predictor.hits, predictor.dismissed);
  return fmt::format(
      "Learned from {} changes and {} non-changes of benchmarks whose code was touched.\n"
      "A benchmark is run from a probability of {:.2f} % on.\n"
      "On commits held out of training: {:.1f} % of the changes found, {:.1f} % of the rest "
      "dismissed.\n",
      predictor.hits, predictor.dismissed, 100 * predictor.run_from, 100 * predictor.hit_rate,
      100 * predictor.dismiss_rate);
}

std::string evaluation_text(const PredictorEvaluation& evaluation) {
  return fmt::format(
      "Last training on checks: {} examples, {} of them changes. On commits not seen in training "
      "the new predictor finds {} and dismisses {}; the one before finds {} and dismisses {}: "
      "{}.\n",
      evaluation.examples, evaluation.changes, known_text(evaluation.hit),
      known_text(evaluation.dismiss), known_text(evaluation.hit_before),
      known_text(evaluation.dismiss_before),
      evaluation.replaced ? "the new one is used" : "the one before is kept");
}

std::string score_text(const PredictionScore& score) {
  if (score.score.hit.cases + score.score.dismiss.cases == 0)
    return fmt::format("{} predictions so far; the outcome of none is known yet (dragnet profile "
                       "finds it out).\n",
                       score.predictions);
  std::string text =
      fmt::format("So far {} predictions: hit rate {}, dismiss rate {}.\n", score.predictions,
                  rate_text(score.score.hit), rate_text(score.score.dismiss));
  if (score.audits > 0)
    text += fmt::format("Of {} audits {} are known, and {} of those changed after all.\n",
                        score.audits, score.audits_known, score.audits_missed);
  return text;
}

std::string predictor_json(const select::Learned& learned, const PredictionScore& score,
                           const std::optional<PredictorEvaluation>& evaluation,
                           const std::string& version) {
  Json document = new_document("predictor", version);
  document["trained"] = learned.probability.trained;
  document["learned"] = Json::parse(select::to_json(learned));
  document["score"] = score_json(score.score);
  document["score"]["predictions"] = score.predictions;
  document["score"]["audits"] = score.audits;
  document["score"]["audits_known"] = score.audits_known;
  document["score"]["audits_missed"] = score.audits_missed;
  document["evaluation"] = evaluation ? evaluation_json(*evaluation) : Json();
  return to_text(document);
}

std::string evaluation_text(const std::vector<MethodScore>& scores, std::size_t examples,
                            bool colours) {
  Table table({{"method"},
               {"hit rate, all"},
               {"dismiss rate, all"},
               {"hit rate, 10-fold"},
               {"dismiss rate, 10-fold"}});
  for (const MethodScore& score : scores)
    table.add({{score.method},
               {rate_text(score.full.hit)},
               {rate_text(score.full.dismiss)},
               {rate_text(score.folds.hit)},
               {rate_text(score.folds.dismiss)}});
  return fmt::format("{} examples; all: trained and tested on the same; 10-fold: tested on commits "
                     "not seen in training.\n\n",
                     examples) +
         table.text(colours);
}

std::string evaluation_json(const std::vector<MethodScore>& scores, std::size_t examples,
                            const std::string& version) {
  Json document = new_document("evaluation", version);
  document["examples"] = examples;
  document["methods"] = Json::array();
  for (const MethodScore& score : scores)
    document["methods"].push_back({{"method", score.method},
                                   {"full", score_json(score.full)},
                                   {"folds", score_json(score.folds)}});
  return to_text(document);
}

} // namespace dragnet::report
