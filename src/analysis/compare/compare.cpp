#include "analysis/compare/compare.h"

#include "analysis/compare/board.h"
#include "analysis/compare/schedule.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/result.h"
#include "model/lab.h"
#include "model/run.h"
#include "model/verdict.h"
#include "stats/order.h"

#include <cstddef>
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::compare {
namespace {

class Campaign {
public:
  Campaign(Lab& lab, const Question& question, Progress& progress)
      : lab_(lab), question_(question), progress_(progress), board_(lab, question),
        comparison_(board_.comparison()) {}

  Result<Comparison> carry_out();

private:
  Result<> recall();
  Result<> replay();
  Result<> measure();
  Result<bool> measure_round();
  Result<bool> measure_best();
  Result<> measure_next(Contest& contest);
  double pairs_left(const Contest& contest) const;
  double worth_now(const Contest& contest) const;
  double pair_seconds(const Contest& contest);
  bool budget_left() const { return comparison_.seconds < question_.budget.count(); }
  double share_done() const;

  Lab& lab_;
  const Question& question_;
  Progress& progress_;
  Board board_;
  Comparison& comparison_; ///< of the board
};

Order order_of(const Duel& duel, std::size_t pair) {
  const auto seed = seed_of(duel.base.key + duel.candidate.key + duel.benchmark.name);
  return stats::new_first(seed, pair) ? Order::CandidateFirst : Order::BaseFirst;
}

// The larger of two shares: of the rows that are decided, and of the budget that is spent.
double Campaign::share_done() const {
  const auto decided = std::ranges::count_if(comparison_.rows, &Row::decided);
  return std::max(static_cast<double>(decided) / static_cast<double>(comparison_.rows.size()),
                  comparison_.seconds / question_.budget.count());
}

Result<> Campaign::recall() {
  if (question_.confirm)
    return replay();
  for (auto& contest : board_.contests()) {
    for (const auto& pair : TRY(lab_.kept_pairs(contest.duel)))
      board_.take(contest, pair);
    comparison_.pairs_kept += contest.pairs;
    board_.assess_rows(contest);
  }
  board_.judge_all();
  return success();
}

// Takes the kept pairs in the order in which they were measured, and looks after each: which of
// them are fresh depends on when a regression was first seen.
Result<> Campaign::replay() {
  std::vector<std::pair<std::size_t, Pair>> kept; // with the place of their contest
  for (std::size_t i = 0; i < board_.contests().size(); ++i)
    for (auto& pair : TRY(lab_.kept_pairs(board_.contests()[i].duel)))
      kept.emplace_back(i, std::move(pair));
  std::ranges::stable_sort(kept, {}, [](const auto& one) {
    return std::min(one.second.base.started, one.second.candidate.started);
  });
  for (const auto& [contest, pair] : kept) {
    board_.take(board_.contests()[contest], pair);
    board_.assess_rows(board_.contests()[contest]);
    board_.judge_all();
  }
  comparison_.pairs_kept = kept.size();
  return success();
}

Result<> Campaign::measure_next(Contest& contest) {
  progress_.now(fmt::format("{}: pair {}", contest.duel.benchmark.name, contest.pairs + 1),
                share_done());
  const auto pair = TRY(lab_.measure_pair(contest.duel, order_of(contest.duel, contest.pairs)));
  board_.take(contest, pair);
  ++comparison_.pairs_measured;
  board_.assess_rows(contest);
  board_.judge_all();
  if (!board_.is_open(contest))
    progress_.finished(
        fmt::format("{}: decided after {} pairs", contest.duel.benchmark.name, contest.pairs));
  return success();
}

// One pair for each open contest, so that all see the same weather; false when there is nothing
// left to do.
Result<bool> Campaign::measure_round() {
  bool measured = false;
  for (auto& contest : board_.contests()) {
    if (!board_.is_open(contest) || !budget_left())
      continue;
    TRY(measure_next(contest));
    measured = true;
  }
  return measured;
}

// The nearest decision of those that are open; a count needs but one more.
double Campaign::pairs_left(const Contest& contest) const {
  if (contest.duel.method == Method::Counted)
    return 1;
  double least = 1e9;
  for (const std::size_t index : contest.rows) {
    const Row& row = comparison_.rows[index];
    if (!row.decided())
      least = std::min(least, pairs_to_decision(row.assessment, row.evidence.smallest_effect));
  }
  return least;
}

// A benchmark that is known to have regressed needs no further proof before others are looked at;
// a count that moved will all but certainly move again.
double Campaign::worth_now(const Contest& contest) const {
  constexpr double known = 0.1;
  const bool regressed = std::ranges::any_of(comparison_.rows, [&](const Row& row) {
    return row.benchmark == contest.duel.benchmark.name &&
           row.judgement.verdict == Verdict::Regressed;
  });
  if (regressed)
    return known * contest.worth;
  return contest.duel.method == Method::Counted && contest.pairs > 0 ? 1 : contest.worth;
}

// What a pair takes: as long as those so far; before the first counted one, many times as long as a
// timed one. Nothing where nothing is known.
double Campaign::pair_seconds(const Contest& contest) {
  constexpr double slowdown_of_counting = 30;
  if (contest.pairs > 0)
    return contest.seconds / static_cast<double>(contest.pairs);
  for (const Contest& other : board_.contests())
    if (contest.duel.method == Method::Counted && other.pairs > 0 &&
        other.duel.benchmark.name == contest.duel.benchmark.name)
      return slowdown_of_counting * other.seconds / static_cast<double>(other.pairs);
  return 0;
}

// One pair where it is worth most.
Result<bool> Campaign::measure_best() {
  std::vector<Contest*> open;
  std::vector<Opportunity> opportunities;
  for (auto& contest : board_.contests()) {
    if (!board_.is_open(contest))
      continue;
    open.push_back(&contest);
    opportunities.push_back({.worth = worth_now(contest),
                             .pair_seconds = pair_seconds(contest),
                             .pairs_left = pairs_left(contest)});
  }
  if (open.empty() || !budget_left())
    return false;
  TRY(measure_next(*open[best(opportunities)]));
  return true;
}

Result<> Campaign::measure() {
  while (TRY(question_.worth.empty() ? measure_round() : measure_best())) {
  }
  return success();
}

void mention_unmeasured(Comparison& comparison) {
  const std::string why = comparison.stopped_by
                              ? "it ended before its first pair: " + comparison.stopped_by->what
                              : "the budget was spent before its first pair";
  for (auto& row : comparison.rows)
    if (!row.decided() && row.assessment.pairs == 0)
      row.judgement = {Verdict::NotMeasured, why};
}

Result<Comparison> Campaign::carry_out() {
  if (question_.same_programs) {
    for (Row& row : comparison_.rows)
      row.judgement = {Verdict::Unchanged, "both commits build the same code and data"};
    return std::move(comparison_);
  }
  TRY(recall());
  if (auto measured = measure(); !measured)
    comparison_.stopped_by = std::move(measured).error();
  mention_unmeasured(comparison_);
  return std::move(comparison_);
}

} // namespace

Result<Comparison> compare(Lab& lab, const Question& question, Progress& progress) {
  return Campaign(lab, question, progress).carry_out();
}

std::size_t count(const Comparison& comparison, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      comparison.rows, [&](const Row& row) { return row.judgement.verdict == verdict; }));
}

int exit_status(const Comparison& comparison) {
  if (count(comparison, Verdict::Regressed) > 0)
    return 1;
  if (count(comparison, Verdict::Failed) > 0)
    return 2;
  const std::size_t unmeasured = count(comparison, Verdict::NotMeasured);
  if (unmeasured == comparison.rows.size())
    return 4;
  return count(comparison, Verdict::Inconclusive) > 0 || unmeasured > 0 ? 3 : 0;
}

} // namespace dragnet::compare
