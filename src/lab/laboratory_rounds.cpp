// The laboratory's part that serves a search along a history: rounds of both ends and a commit
// between them.

#include "base/files.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "model/rounds.h"
#include "model/run.h"
#include "store/store.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

const Build& member(const Trio& trio, RoundSide side) {
  if (side == RoundSide::Between && trio.between)
    return *trio.between;
  return side == RoundSide::Good ? trio.good : trio.bad;
}

store::Side stored(RoundSide side) {
  switch (side) {
  case RoundSide::Good:
    return store::Side::Base;
  case RoundSide::Bad:
    return store::Side::Candidate;
  case RoundSide::Between:
    break;
  }
  return store::Side::Between;
}

void place_run(MeasuredRound& round, RoundSide side, Run run) {
  if (side == RoundSide::Between)
    round.between = std::move(run);
  else
    (side == RoundSide::Good ? round.good : round.bad) = std::move(run);
}

} // namespace

Result<std::optional<Build>> Laboratory::known_build(const Commit& commit) {
  auto kept = TRY(kept_build(commit, build_key(commit)));
  // Asked to do things again, a failure is no longer known.
  if (kept && kept->outcome != BuildOutcome::Built && memory_ == Memory::MeasureAgain)
    kept.reset();
  return kept;
}

Result<std::string> Laboratory::trio_key(const Trio& trio) {
  const auto good = TRY(key_of(trio.good, trio.benchmark, trio.method));
  return store::TrioKey{good, trio.bad.key, trio.between ? trio.between->key : std::string()}
      .text();
}

Result<std::vector<MeasuredRound>> Laboratory::kept_rounds(const Trio& trio) {
  const auto key = TRY(trio_key(trio));
  const auto series = TRY(series_of(key));
  auto rounds = TRY(store_->rounds(key, series));
  if (trio.between)
    std::erase_if(rounds, [](const MeasuredRound& round) { return !round.between; });
  return rounds;
}

Result<Run> Laboratory::run_member(const Trio& trio, RoundSide side, store::Place place) {
  const Build& build = member(trio, side);
  const auto key = TRY(key_of(build, trio.benchmark, trio.method));
  Run run = TRY(run_once(build, trio.benchmark, trio.method));
  place.side = stored(side);
  run.id = TRY(store_->keep(key, run, place));
  return run;
}

Result<MeasuredRound> Laboratory::measure_round(const Trio& trio,
                                                std::span<const RoundSide> order) {
  const auto lock = TRY(FileLock::wait(state_.measure_lock()));
  const auto key = TRY(trio_key(trio));
  for (const RoundSide side : order)
    TRY(warm_up(member(trio, side), trio.benchmark, trio.method));
  store::Place place{key, TRY(series_of(key)), 0, store::Side::Base};
  place.pair = TRY(store_->next_pair(key, place.series));
  MeasuredRound round;
  round.number = place.pair;
  for (const RoundSide side : order)
    place_run(round, side, TRY(run_member(trio, side, place)));
  return round;
}

} // namespace dragnet::lab
