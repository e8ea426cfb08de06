// How good the predictions of this project were: what was said against what came out.
#pragma once

#include "analysis/select/evaluation.h"
#include "base/result.h"
#include "lab/laboratory.h"

#include <cstddef>

namespace dragnet::check {

struct ScoreSoFar {
  std::size_t predictions = 0;   ///< in all
  select::Score score;           ///< over those whose outcome is known
  std::size_t audits = 0;        ///< dismissed, but to be run as a test
  std::size_t audits_known = 0;  ///< of those, with a known outcome
  std::size_t audits_missed = 0; ///< of those, changed after all
};

/// The score over all predictions whose commits both have a profile by now.
Result<ScoreSoFar> score_so_far(lab::Laboratory& laboratory);

} // namespace dragnet::check
