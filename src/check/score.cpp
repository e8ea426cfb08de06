#include "check/score.h"
#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "store/archive.h"

#include <optional>

namespace dragnet::check {
namespace {

void count(ScoreSoFar& sum, const store::Prediction& prediction, select::Truth truth) {
  if (truth == select::Truth::Unknown)
    return;
  const bool hit = truth == select::Truth::Hit;
  select::Rate& rate = hit ? sum.score.hit : sum.score.dismiss;
  ++rate.cases;
  if (prediction.run == hit)
    ++rate.good;
  if (!prediction.audited)
    return;
  ++sum.audits_known;
  if (hit)
    ++sum.audits_missed;
}

} // namespace

Result<ScoreSoFar> score_so_far(lab::Laboratory& laboratory) {
  ScoreSoFar sum;
  for (const store::Prediction& prediction : TRY(laboratory.archive().predictions())) {
    ++sum.predictions;
    if (prediction.audited)
      ++sum.audits;
    const auto before =
        TRY(laboratory.archive().instructions({prediction.old_build, prediction.benchmark}));
    const auto now =
        TRY(laboratory.archive().instructions({prediction.new_build, prediction.benchmark}));
    if (before && now)
      count(sum, prediction, select::truth_by_count(*before, *now));
  }
  return sum;
}

} // namespace dragnet::check
