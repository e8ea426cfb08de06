#include "check/bisection.h"

#include "analysis/bisect/finding.h"
#include "analysis/bisect/search.h"
#include "analysis/bisect/suspects.h"
#include "base/hash.h"
#include "base/log_end.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/failure.h"
#include "model/commit.h"
#include "model/metric.h"
#include "model/rounds.h"
#include "model/run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

using bisect::Finding;
using bisect::Outcome;

class Bisector {
public:
  Bisector(SearchLab& lab, const BisectionRequest& request, Progress& progress)
      : lab_(lab), request_(request), progress_(progress) {}

  Result<Finding> carry_out();

private:
  // A kept round and the commit between the ends that it measured.
  struct Recalled {
    std::optional<std::size_t> candidate;
    MeasuredRound round;
  };

  Result<Build> built(std::size_t position);
  Result<Build> built_end(std::size_t position);
  Result<> recall();
  Result<> recall_candidate(std::size_t position, std::vector<Recalled>& all);
  Result<> recall_rounds(std::optional<std::size_t> candidate, const Trio& trio,
                         std::vector<Recalled>& all);
  Result<> search();
  Result<> take_step(const bisect::Step& step);
  Result<> measure(std::optional<std::size_t> candidate);
  Result<> take(std::optional<std::size_t> candidate, const MeasuredRound& round);
  Result<double> value_at_end(const Run& run, std::size_t position) const;
  void begin_search(const MeasuredRound& first);
  void give_up(std::size_t position, const std::string& why);
  Trio trio(std::optional<std::size_t> candidate) const;
  std::vector<RoundSide> order(std::optional<std::size_t> candidate) const;
  bool budget_left() const { return effort_.seconds < request_.budget.count(); }
  std::size_t last() const { return request_.commits.size() - 1; }
  Finding finding();
  void describe(const bisect::Answer& answer, Finding& found) const;
  void describe_effect(const bisect::Answer& answer, Finding& found) const;

  SearchLab& lab_;
  const BisectionRequest& request_;
  Progress& progress_;
  std::map<std::size_t, Build> builds_;         // by position
  std::map<std::size_t, std::string> unusable_; // by position: why
  std::set<std::int64_t> taken_;                // ids of runs at the good end: no round twice
  std::optional<bisect::Search> search_;        // begins with the first round
  std::vector<double> steps_;                   // bad / good of each round, as logarithms
  bisect::Effort effort_;
};

// The build at a position; what was not kept costs.
Result<Build> Bisector::built(std::size_t position) {
  const Commit& commit = request_.commits[position];
  if (auto kept = TRY(lab_.known_build(commit))) {
    ++effort_.builds_kept;
    return std::move(*kept);
  }
  auto build = TRY(lab_.build(commit));
  ++effort_.builds;
  effort_.seconds += build.seconds;
  return build;
}

Result<Build> Bisector::built_end(std::size_t position) {
  auto build = TRY(built(position));
  if (build.outcome != BuildOutcome::Built)
    return Error{fmt::format("the {} end {} ({}) {}, and a search needs both ends{}",
                             position == 0 ? "good" : "bad", build.commit.id.brief(),
                             build.commit.subject, why_unusable(build), log_end(build.log)),
                 fmt::format("name a neighbour of it that builds: git log --oneline -5 {}",
                             build.commit.id.brief())};
  return build;
}

Trio Bisector::trio(std::optional<std::size_t> candidate) const {
  return {.good = builds_.at(0),
          .bad = builds_.at(last()),
          .between = candidate ? std::optional(builds_.at(*candidate)) : std::nullopt,
          .benchmark = request_.benchmark,
          .method = request_.method};
}

std::vector<RoundSide> Bisector::order(std::optional<std::size_t> candidate) const {
  const auto seed = seed_of(builds_.at(0).key + builds_.at(last()).key + request_.benchmark.name);
  std::vector<RoundSide> sides;
  for (const bisect::Place place : bisect::order_of_round(seed, steps_.size()))
    if (place != bisect::Place::Candidate)
      sides.push_back(place == bisect::Place::Good ? RoundSide::Good : RoundSide::Bad);
    else if (candidate)
      sides.push_back(RoundSide::Between);
  return sides;
}

void Bisector::give_up(std::size_t position, const std::string& why) {
  if (!unusable_.emplace(position, why).second)
    return;
  progress_.finished(fmt::format("{} {}", request_.commits[position].id.brief(), why));
  if (search_)
    search_->cannot_build(position);
}

// What a build costs against a run is known from the ends.
void Bisector::begin_search(const MeasuredRound& first) {
  bisect::Rule rule;
  rule.nature = metric_named(request_.metric).nature == Nature::Count ? bisect::Nature::Count
                                                                      : bisect::Nature::Noisy;
  rule.confidence = request_.confidence;
  rule.smallest_effect = request_.smallest_effect;
  constexpr double least_cost = 1;
  constexpr double most_cost = 1000;
  const double run = std::max(1e-3, (first.good.seconds + first.bad.seconds) / 2);
  const double build = (builds_.at(0).seconds + builds_.at(last()).seconds) / 2;
  rule.costs.build = std::clamp(build / run, least_cost, most_cost);
  search_.emplace(request_.prior, rule);
  for (const auto& [position, why] : unusable_)
    search_->cannot_build(position);
}

Result<double> Bisector::value_at_end(const Run& run, std::size_t position) const {
  const Commit& commit = request_.commits[position];
  const std::string why = why_unusable(run, request_.metric);
  if (why.empty())
    return run.samples.at(request_.metric);
  return Error{fmt::format("{}: {} at the {} end {} ({}){}", request_.benchmark.name, why,
                           position == 0 ? "good" : "bad", commit.id.brief(), commit.subject,
                           log_end(run.log)),
               fmt::format("dragnet run {} -b {}, or name another end", commit.id.brief(),
                           request_.benchmark.name)};
}

// Tells the search of a round, kept or new.
Result<> Bisector::take(std::optional<std::size_t> candidate, const MeasuredRound& round) {
  if (round.good.id != 0 && !taken_.insert(round.good.id).second)
    return success();
  effort_.runs += candidate ? 3 : 2;
  bisect::Round told;
  told.good = TRY(value_at_end(round.good, 0));
  told.bad = TRY(value_at_end(round.bad, last()));
  if (!search_)
    begin_search(round);
  const std::string why =
      candidate && round.between ? why_unusable(*round.between, request_.metric) : "";
  if (candidate && !why.empty()) {
    give_up(*candidate, why);
  } else if (candidate && round.between) {
    told.candidate = candidate;
    told.value = round.between->samples.at(request_.metric);
  }
  steps_.push_back(std::log(told.bad / told.good));
  if (search_)
    search_->observe(told);
  return success();
}

Result<> Bisector::recall_rounds(std::optional<std::size_t> candidate, const Trio& trio,
                                 std::vector<Recalled>& all) {
  for (MeasuredRound& round : TRY(lab_.kept_rounds(trio)))
    all.push_back({candidate, std::move(round)});
  return success();
}

// A build that is kept is a fact: that it failed, or the rounds that it took part in.
Result<> Bisector::recall_candidate(std::size_t position, std::vector<Recalled>& all) {
  auto kept = TRY(lab_.known_build(request_.commits[position]));
  if (!kept)
    return success();
  if (kept->outcome != BuildOutcome::Built) {
    give_up(position, why_unusable(*kept));
    return success();
  }
  const std::size_t before = all.size();
  builds_.emplace(position, std::move(*kept));
  TRY(recall_rounds(position, trio(position), all));
  if (all.size() > before)
    ++effort_.builds_kept;
  else
    builds_.erase(position);
  return success();
}

// Tells the search what is kept, in the order in which it was measured.
Result<> Bisector::recall() {
  std::vector<Recalled> all;
  TRY(recall_rounds(std::nullopt, trio(std::nullopt), all));
  for (std::size_t position = 1; position < last(); ++position)
    TRY(recall_candidate(position, all));
  std::ranges::sort(all, {}, [](const Recalled& one) { return one.round.good.id; });
  for (const Recalled& one : all)
    TRY(take(one.candidate, one.round));
  effort_.rounds_kept = steps_.size();
  return success();
}

Result<> Bisector::measure(std::optional<std::size_t> candidate) {
  progress_.now(fmt::format("round {}{}", steps_.size() + 1,
                            candidate ? " with " + request_.commits[*candidate].id.brief()
                                      : std::string(" of the ends")),
                std::min(1.0, effort_.seconds / request_.budget.count()));
  const auto round = TRY(lab_.measure_round(trio(candidate), order(candidate)));
  ++effort_.rounds;
  effort_.seconds += round.seconds();
  return take(candidate, round);
}

Result<> Bisector::take_step(const bisect::Step& step) {
  if (step.candidate && !builds_.contains(*step.candidate)) {
    auto build = TRY(built(*step.candidate));
    if (build.outcome != BuildOutcome::Built) {
      give_up(*step.candidate, why_unusable(build));
      return success();
    }
    builds_.emplace(*step.candidate, std::move(build));
  }
  for (std::size_t i = 0; i < step.rounds && budget_left(); ++i) {
    TRY(measure(step.candidate));
    if (step.candidate && unusable_.contains(*step.candidate))
      break;
  }
  return success();
}

Result<> Bisector::search() {
  if (!search_ && budget_left())
    TRY(measure(std::nullopt));
  while (search_) {
    const bisect::Step step = search_->next();
    if (step.rounds == 0)
      break;
    if (!budget_left()) {
      effort_.budget_spent = true;
      break;
    }
    TRY(take_step(step));
  }
  effort_.budget_spent = effort_.budget_spent || !search_;
  return success();
}

void Bisector::describe_effect(const bisect::Answer& answer, Finding& found) const {
  found.effect = answer.effect;
  found.interval = answer.interval;
  constexpr double agreement = 1e-4;
  const auto [least, most] = std::ranges::minmax(steps_);
  found.exact =
      found.metric.nature == Nature::Count && steps_.size() >= 2 && most - least <= agreement;
  if (found.exact || steps_.size() < 2) {
    found.effect = std::expm1((least + most) / 2);
    found.interval = {found.effect, found.effect};
  }
}

void Bisector::describe(const bisect::Answer& answer, Finding& found) const {
  found.outcome = answer.outcome;
  found.ends_p_value = answer.ends_p_value;
  describe_effect(answer, found);
  if (found.outcome == Outcome::EndsAlike || found.outcome == Outcome::EndsUnknown)
    return;
  auto groups = answer.groups;
  if (answer.named) {
    std::erase_if(groups, [&](const bisect::Group& group) {
      return group.holds(answer.named->first) && group.size() == answer.named->size();
    });
    groups.insert(groups.begin(), *answer.named);
  }
  for (const bisect::Group& group : groups) {
    bisect::Suspect suspect{{}, group.probability};
    for (std::size_t position = group.first; position <= group.last; ++position)
      suspect.commits.push_back(request_.commits[position]);
    found.suspects.push_back(std::move(suspect));
  }
}

Finding Bisector::finding() {
  Finding found;
  found.good = request_.commits.front();
  found.bad = request_.commits.back();
  found.commits = last();
  found.benchmark = request_.benchmark.name;
  found.metric = metric_named(request_.metric);
  found.method = request_.method;
  found.confidence = request_.confidence;
  found.smallest_effect = request_.smallest_effect;
  found.budget = request_.budget;
  found.effort = effort_;
  for (const auto& [position, why] : unusable_)
    found.unusable.push_back({request_.commits[position], why});
  if (search_)
    describe(search_->answer(), found);
  return found;
}

Result<Finding> Bisector::carry_out() {
  builds_.emplace(0, TRY(built_end(0)));
  builds_.emplace(last(), TRY(built_end(last())));
  TRY(recall());
  auto searched = search();
  if (!searched && !search_)
    return std::move(searched).error();
  Finding found = finding();
  if (!searched)
    found.stopped_by = std::move(searched).error();
  return found;
}

} // namespace

Result<Finding> bisect_line(SearchLab& lab, const BisectionRequest& request, Progress& progress) {
  return Bisector(lab, request, progress).carry_out();
}

} // namespace dragnet::check
