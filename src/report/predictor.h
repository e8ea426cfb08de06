// What was learned and how good it is, for people and for programs.
#pragma once

#include "analysis/select/evaluation.h"
#include "analysis/select/select.h"
#include "model/prediction_record.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::report {

/// Predictions of this project against what came out.
struct PredictionScore {
  std::size_t predictions = 0;
  select::Score score;
  std::size_t audits = 0;
  std::size_t audits_known = 0;
  std::size_t audits_missed = 0;
};

/// How good a method is on a set of examples.
struct MethodScore {
  std::string method;
  select::Score full;  ///< trained and tested on the same
  select::Score folds; ///< tested on commits that were not seen in training
};

std::string predictor_text(const select::Learned& learned);

/// What the last training on checks came to.
std::string evaluation_text(const PredictorEvaluation& evaluation);

std::string score_text(const PredictionScore& score);

/// The document "predictor".
std::string predictor_json(const select::Learned& learned, const PredictionScore& score,
                           const std::optional<PredictorEvaluation>& evaluation,
                           const std::string& version);

std::string evaluation_text(const std::vector<MethodScore>& scores, std::size_t examples,
                            bool colours);

/// The document "evaluation".
std::string evaluation_json(const std::vector<MethodScore>& scores, std::size_t examples,
                            const std::string& version);

} // namespace dragnet::report
