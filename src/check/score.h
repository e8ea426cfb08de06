// How good the predictions of this project were: what was said against what came out.
#pragma once

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "base/result.h"
#include "lab/laboratory.h"

#include <cstddef>
#include <string_view>

namespace dragnet::check {

struct ScoreSoFar {
  std::size_t predictions = 0;   ///< in all
  select::Score score;           ///< over those whose outcome is known
  std::size_t audits = 0;        ///< dismissed, but to be run as a test
  std::size_t audits_known = 0;  ///< of those, with a known outcome
  std::size_t audits_missed = 0; ///< of those, changed after all
};

/// What the word for a verdict says about a change.
select::Truth truth_of(std::string_view verdict);

/// The score over all predictions whose outcome is known: by what measuring concluded, or else by
/// the instructions that both profiles count.
Result<ScoreSoFar> score_so_far(lab::Laboratory& laboratory);

} // namespace dragnet::check
