#include "check/prediction.h"
#include "analysis/select/evidence.h"
#include "analysis/select/executed.h"
#include "analysis/select/learned_json.h"
#include "analysis/select/methods.h"
#include "analysis/select/reasons.h"
#include "analysis/select/select.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/units.h"
#include "check/same_work.h"
#include "lab/functions.h"
#include "lab/laboratory.h"
#include "lab/profiling.h"
#include "lab/together.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "store/archive.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// What the laboratory knows about a benchmark; the analysis borrows it.
struct Known {
  std::optional<Profile> profile;
  const Difference* difference = nullptr;
  std::optional<Commit> base;
  std::size_t hops = 0;
  std::string trouble;
};

class Gatherer {
public:
  Gatherer(lab::Laboratory& laboratory, const PredictionRequest& request)
      : laboratory_(laboratory), request_(request) {}

  Result<std::vector<Known>> gather() {
    std::vector<Known> all;
    all.reserve(request_.benchmarks.size());
    for (const Benchmark& benchmark : request_.benchmarks)
      all.push_back(TRY(know(benchmark)));
    return all;
  }

  // The profile of an earlier build than the one that the commit is judged against.
  struct Older {
    const Profile& profile;
    const Commit& base;
    const Build& against;
  };
  std::optional<Older> older(const Known& known) const {
    const auto& against = request_.against;
    if (!against || !known.base || !known.profile || known.base->tree == against->commit.tree)
      return std::nullopt;
    return Older{*known.profile, *known.base, *against};
  }

  // What differs from the profiled build to the one that the commit is judged against; null where
  // that is not known.
  Result<const Difference*> since_profile(const Older& older) {
    return between(older.base, older.against);
  }

  // Whether the build that the commit is judged against changed what the profiled one executes, so
  // that the profile does not speak for it.
  Result<bool> is_outdated(const Known& known) {
    const auto profiled = older(known);
    if (!profiled)
      return false;
    const auto* difference = TRY(since_profile(*profiled));
    return difference == nullptr ||
           select::gather(*difference, select::Executed(profiled->profile), {}).any();
  }

  // The binaries that differences speak of.
  std::vector<std::string> compared() const {
    const auto binaries = lab::binaries_of(laboratory_.project().build, request_.build.folder);
    return binaries ? *binaries : std::vector<std::string>{};
  }

private:
  const std::vector<Commit>& bases() const { return request_.bases; }

  Result<Known> know(const Benchmark& benchmark) {
    Known known;
    const auto profiled = TRY(laboratory_.profiled(bases(), benchmark));
    if (profiled.empty()) {
      known.trouble = bases().empty() ? "it is the first commit"
                                      : fmt::format("make one with: "
                                                    "dragnet profile {} -b {}",
                                                    bases().front().id.brief(), benchmark.name);
      return known;
    }
    const Commit& base = profiled.front();
    known.base = base;
    known.hops = 1 + static_cast<std::size_t>(std::ranges::find(bases(), base.id, &Commit::id) -
                                              bases().begin());
    known.profile = TRY(laboratory_.kept_profile(base, benchmark));
    if (request_.against && TRY(are_alike(base, *request_.against)))
      known.base = request_.against->commit;
    TRY(compare(*known.base, known));
    return known;
  }

  // Whether the build that the commit is judged against loads the same code and data as that of a
  // commit, as where only names changed: then a profile of one is a profile of the other.
  Result<bool> are_alike(const Commit& commit, const Build& against) {
    if (commit.tree == against.commit.tree)
      return false;
    const auto known = alike_.find(commit.id.text);
    if (known != alike_.end())
      return known->second;
    const Build build = TRY(laboratory_.build(commit));
    const bool alike =
        build.outcome == BuildOutcome::Built && laboratory_.same_programs(build, against);
    return alike_.emplace(commit.id.text, alike).first->second;
  }

  Result<> compare(const Commit& commit, Known& known) {
    known.difference = TRY(between(commit, request_.build));
    if (known.difference == nullptr)
      known.trouble = differences_.at({commit.id.text, request_.build.key}).error().what;
    return success();
  }

  // What differs from a commit to a build; null where that is not known.
  Result<const Difference*> between(const Commit& commit, const Build& build) {
    const std::pair key(commit.id.text, build.key);
    auto found = differences_.find(key);
    if (found == differences_.end()) {
      const Build base = TRY(laboratory_.build(commit));
      auto difference = base.outcome == BuildOutcome::Built
                            ? laboratory_.difference(base, build)
                            : Result<Difference>(Error{"its base does not build any more", {}});
      found = differences_.emplace(key, std::move(difference)).first;
    }
    return found->second ? &*found->second : nullptr;
  }

  lab::Laboratory& laboratory_;
  const PredictionRequest& request_;
  /// By the id of the base and the key of the build.
  std::map<std::pair<std::string, std::string>, Result<Difference>> differences_;
  std::map<std::string, bool> alike_; ///< by the id of the commit
};

std::vector<select::Candidate> candidates_of(const std::vector<Known>& known,
                                             const PredictionRequest& request,
                                             const std::vector<std::string>& compared) {
  std::vector<select::Candidate> candidates;
  candidates.reserve(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    select::Candidate candidate;
    candidate.benchmark = request.benchmarks[i].name;
    const std::optional<Profile>& profile = known[i].profile;
    candidate.profile = profile ? &*profile : nullptr;
    candidate.difference = known[i].difference;
    candidate.compared = compared;
    candidate.hops = std::max<std::size_t>(1, known[i].hops);
    candidate.trouble = known[i].trouble;
    if (profile)
      candidate.circumstances.libraries = lab::changed_libraries(*profile);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

Result<> note(lab::Laboratory& laboratory, const PredictionRequest& request,
              const std::vector<Advice>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Advice& advice = all[i];
    if (!advice.base)
      continue;
    store::Prediction prediction;
    prediction.old_build =
        request.against ? request.against->key : laboratory.build_key(*advice.base);
    prediction.new_build = request.build.key;
    prediction.benchmark = TRY(laboratory.definition_key(request.benchmarks[i]));
    prediction.name = advice.decision.benchmark;
    const bool counted = advice.decision.basis == select::Basis::Counted;
    prediction.method = counted ? name(advice.decision.basis) : name(request.policy.method);
    prediction.probability = advice.decision.probability;
    prediction.run = advice.decision.choice == select::Choice::Run && !advice.decision.audited;
    prediction.audited = advice.decision.audited;
    prediction.made = milliseconds_since_1970();
    TRY(laboratory.archive().keep(prediction));
  }
  return success();
}

// A suite's case is profiled for one iteration, so that its shares say little: it is dismissed only
// if nothing that it executes changed, and else may have changed as well as not.
select::Decision decide(const select::Candidate& candidate, const Benchmark& benchmark,
                        const select::Learned& learned, const select::Policy& policy) {
  const bool whole = !measures_itself(benchmark.suite);
  auto one = select::decide({&candidate, 1}, whole ? learned : select::Learned{}, policy);
  if (!whole && one.front().basis == select::Basis::Untrained)
    one.front().probability = 0.5;
  return std::move(one.front());
}

// What decisions rest on beside the benchmark itself.
struct Deciding {
  const select::Learned& learned;
  const PredictionRequest& request;
};

void run_for_lack_of_a_profile(select::Decision& decision, const Build& against) {
  decision.choice = select::Choice::Run;
  decision.basis = select::Basis::Rule;
  decision.probability = 1;
  decision.reasons = {{.kind = select::ReasonKind::NoProfile,
                       .subject = fmt::format("make one with: dragnet profile {} -b {}",
                                              against.commit.id.brief(), decision.benchmark),
                       .share = 0,
                       .limit = 0,
                       .count = 0,
                       .with = {}}};
}

// Whether counting may show what only a look at the commit's code left open.
bool may_do_the_same(const select::Decision& decision) {
  return decision.choice == select::Choice::Run && decision.basis != select::Basis::Rule;
}

void dismiss_as_counted(select::Decision& decision, double share) {
  decision.choice = select::Choice::Skip;
  decision.basis = select::Basis::Counted;
  decision.probability = 0;
  decision.reasons.insert(decision.reasons.begin(), {.kind = select::ReasonKind::SameWork,
                                                     .subject = {},
                                                     .share = share,
                                                     .limit = 0,
                                                     .count = 0,
                                                     .with = {}});
}

std::optional<CountedSides> sides_to_count(const PredictionRequest& request, const Known& known) {
  if (!request.against || !known.profile || known.difference == nullptr)
    return std::nullopt;
  return CountedSides{*request.against, request.build, *known.profile, *known.difference};
}

Result<> count_first(lab::Laboratory& laboratory, const PredictionRequest& request,
                     Gatherer& gatherer, const std::vector<Known>& known,
                     std::vector<select::Decision>& decisions) {
  const double end = steady_seconds() + request.counting.count();
  std::vector<std::pair<std::size_t, CountedSides>> open;
  std::vector<lab::BenchmarkOn> to_count;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const auto sides = sides_to_count(request, known[i]);
    if (!sides || !may_do_the_same(decisions[i]) ||
        !can_be_counted(*sides, request.benchmarks[i]) || TRY(gatherer.is_outdated(known[i])))
      continue;
    open.emplace_back(i, *sides);
    to_count.push_back({request.build, request.benchmarks[i]});
  }
  TRY(laboratory.profile_together(to_count, end));
  for (const auto& [i, sides] : open) {
    if (steady_seconds() >= end)
      break;
    if (const auto share = TRY(counted_same_work(laboratory, sides, request.benchmarks[i])))
      dismiss_as_counted(decisions[i], *share);
  }
  return success();
}

// A profile of an earlier build dismisses a benchmark only if what happened between that build and
// the base would have been dismissed, too: otherwise the commit may undo a change in between.
Result<select::Decision> decide_twice(Gatherer& gatherer, const Known& known,
                                      const select::Candidate& candidate,
                                      const Benchmark& benchmark, const Deciding& deciding) {
  auto decision = decide(candidate, benchmark, deciding.learned, deciding.request.policy);
  const auto older = gatherer.older(known);
  if (decision.choice == select::Choice::Run || !older)
    return decision;
  select::Candidate earlier = candidate;
  earlier.difference = TRY(gatherer.since_profile(*older));
  if (decide(earlier, benchmark, deciding.learned, deciding.request.policy).choice ==
      select::Choice::Run)
    run_for_lack_of_a_profile(decision, older->against);
  return decision;
}

bool is_trained(const select::Learned& learned, select::Method method) {
  return method == select::Method::Evidence ? learned.probability.trained
                                            : !learned.thresholds.by_benchmark.empty();
}

} // namespace

Result<select::Learned> learned(lab::Laboratory& laboratory) {
  const auto text = TRY(laboratory.archive().predictor("learned"));
  return text ? select::learned_from_json(*text) : Result<select::Learned>(select::Learned{});
}

Result<PredictionAnswer> predict(lab::Laboratory& laboratory, const PredictionRequest& request) {
  Gatherer gatherer(laboratory, request);
  const auto known = TRY(gatherer.gather());
  const auto knowledge = TRY(learned(laboratory));
  const auto candidates = candidates_of(known, request, gatherer.compared());
  std::vector<select::Decision> decisions;
  decisions.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i)
    decisions.push_back(TRY(decide_twice(gatherer, known[i], candidates[i], request.benchmarks[i],
                                         {knowledge, request})));
  if (request.counting > Seconds{0})
    TRY(count_first(laboratory, request, gatherer, known, decisions));
  std::mt19937_64 random(request.seed);
  select::audit(decisions, request.audit_share, random);
  PredictionAnswer answer;
  answer.trained = is_trained(knowledge, request.policy.method);
  answer.advice.reserve(decisions.size());
  for (std::size_t i = 0; i < decisions.size(); ++i)
    answer.advice.push_back({std::move(decisions[i]), known[i].base, known[i].hops});
  TRY(note(laboratory, request, answer.advice));
  return answer;
}

} // namespace dragnet::check
