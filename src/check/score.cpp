#include "check/score.h"
#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/select.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/verdict.h"
#include "store/archive.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>

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

using Question = std::tuple<std::string, std::string, std::string>;

Result<std::map<Question, select::Truth>> measured_truths(lab::Laboratory& laboratory) {
  std::map<Question, select::Truth> truths;
  for (const store::Outcome& outcome : TRY(laboratory.archive().outcomes()))
    truths[{outcome.old_build, outcome.new_build, outcome.benchmark}] = truth_of(outcome.verdict);
  return truths;
}

// What was dismissed for its counts cannot be tested by them.
bool was_counted(const store::Prediction& prediction) {
  return prediction.method == name(select::Basis::Counted);
}

Result<select::Truth> counted_truth(lab::Laboratory& laboratory,
                                    const store::Prediction& prediction) {
  const auto before =
      TRY(laboratory.archive().instructions({prediction.old_build, prediction.benchmark}));
  const auto now =
      TRY(laboratory.archive().instructions({prediction.new_build, prediction.benchmark}));
  return before && now ? select::truth_by_count(*before, *now) : select::Truth::Unknown;
}

} // namespace

select::Truth truth_of(std::string_view verdict) {
  for (const Verdict hit : {Verdict::Regressed, Verdict::Improved})
    if (verdict == name(hit))
      return select::Truth::Hit;
  for (const Verdict none : {Verdict::Unchanged, Verdict::Exonerated})
    if (verdict == name(none))
      return select::Truth::Dismiss;
  return select::Truth::Unknown;
}

Result<ScoreSoFar> score_so_far(lab::Laboratory& laboratory) {
  ScoreSoFar sum;
  const auto measured = TRY(measured_truths(laboratory));
  for (const store::Prediction& prediction : TRY(laboratory.archive().predictions())) {
    ++sum.predictions;
    if (prediction.audited)
      ++sum.audits;
    const auto found =
        measured.find({prediction.old_build, prediction.new_build, prediction.benchmark});
    const bool known = found != measured.end() && found->second != select::Truth::Unknown;
    const auto truth = known                     ? found->second
                       : was_counted(prediction) ? select::Truth::Unknown
                                                 : TRY(counted_truth(laboratory, prediction));
    count(sum, prediction, truth);
  }
  return sum;
}

} // namespace dragnet::check
