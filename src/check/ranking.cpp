#include "check/ranking.h"

#include "analysis/rank/estimate.h"
#include "analysis/rank/rank.h"
#include "analysis/rank/revision.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/namesakes.h"
#include "analysis/structure/program.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "lab/selection.h"
#include "lab/source_lab.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/ranking.h"
#include "model/run.h"
#include "model/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <future>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// More functions than this are not listed as origins of a change.
constexpr std::size_t most_origins = 5;

std::string function_name(const structure::Program& program, structure::FunctionNumber number) {
  const std::string& name = program.functions()[number].name;
  return name.substr(0, name.find('@'));
}

RankedTest told(const structure::Program& program, const rank::Estimate& estimate) {
  RankedTest test{.name = estimate.test,
                  .share = estimate.relative(),
                  .reached = estimate.reached,
                  .path = {},
                  .origins = {}};
  for (const rank::Step& step : estimate.path)
    test.path.push_back(
        {.function = function_name(program, step.function), .frequency = step.frequency});
  for (std::size_t i = 0; i < std::min(most_origins, estimate.origins.size()); ++i)
    test.origins.push_back(
        {.function = function_name(program, estimate.origins[i].function),
         .share = estimate.cost > 0 ? estimate.origins[i].change / estimate.cost : 0});
  return test;
}

std::size_t count(const structure::Program& program, structure::Fate fate) {
  return static_cast<std::size_t>(
      std::ranges::count(program.functions(), fate, &structure::ProgramFunction::fate));
}

std::vector<std::string> warnings_of(const SourceFacts& base, const SourceFacts& next) {
  std::set<std::string> all(base.warnings.begin(), base.warnings.end());
  all.insert(next.warnings.begin(), next.warnings.end());
  return {all.begin(), all.end()};
}

// What the programs of tests execute without them; tests point into it.
struct StartProfiles {
  std::vector<SourceProfile> profiles;
  rank::Starts by_test;
};

Result<StartProfiles> starts_of(lab::SourceLab& source, const Build& counted,
                                const std::vector<Benchmark>& tests) {
  std::vector<Benchmark> starts;
  std::vector<std::optional<std::size_t>> places;
  for (const Benchmark& test : tests) {
    const auto start = lab::start_of(test);
    if (!start) {
      places.emplace_back();
      continue;
    }
    const auto same = std::ranges::find(starts, start->name, &Benchmark::name);
    places.emplace_back(same - starts.begin());
    if (same == starts.end())
      starts.push_back(*start);
  }
  StartProfiles result{.profiles = TRY(source.counts(counted, starts)), .by_test = {}};
  for (const auto& place : places)
    result.by_test.push_back(place ? &result.profiles[*place] : nullptr);
  return result;
}

Result<Ranking> ranked_by(lab::SourceLab& source, const Build& counted, const Commit& commit,
                          const std::vector<Benchmark>& tests, rank::Method method) {
  // Facts of a large program take as long to read as all else: both versions at once.
  auto reading = std::async(std::launch::async, [&] { return lab::SourceLab::facts(counted); });
  auto read_next = source.facts_like(counted, commit);
  const auto base = TRY(reading.get());
  const auto next = structure::with_old_names(base, TRY(std::move(read_next)));
  const auto profiles = TRY(source.counts(counted, tests));
  const auto starts = TRY(starts_of(source, counted, tests));
  const auto library = TRY(source.library());
  const structure::Program program(base, next);
  Ranking ranking{.tests = {},
                  .added = count(program, structure::Fate::Added),
                  .revised = count(program, structure::Fate::Revised),
                  .removed = count(program, structure::Fate::Removed),
                  .warnings = warnings_of(base, next)};
  for (const rank::Estimate& estimate :
       rank::ranked(program, profiles, method, library, starts.by_test))
    ranking.tests.push_back(told(program, estimate));
  return ranking;
}

} // namespace

Result<Ranking> rank_tests(lab::Laboratory& laboratory, const RankingRequest& request) {
  lab::SourceLab source(laboratory);
  const auto counted = TRY(source.counted_build(request.base));
  const auto tests = TRY(laboratory.cases(counted, request.tests)).benchmarks;
  return ranked_by(source, counted, request.commit, tests, request.method);
}

std::vector<double> worth_by(const Ranking& ranking, const std::vector<Benchmark>& tests,
                             std::vector<double> probabilities) {
  // A change of this size is half way between what does not matter and what matters most.
  constexpr double middle = 0.02;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const auto found = std::ranges::find(ranking.tests, tests[i].name, &RankedTest::name);
    const double share = found == ranking.tests.end() ? 0 : std::abs(found->share);
    probabilities[i] *= std::isfinite(share) ? (1 + share / (share + middle)) / 2 : 1;
  }
  return probabilities;
}

Result<std::optional<Ranking>> kept_ranking(lab::Laboratory& laboratory, const Commit& base,
                                            const Commit& commit,
                                            const std::vector<Benchmark>& tests) {
  lab::SourceLab source(laboratory);
  const auto counted = TRY(source.kept_counted(base, tests));
  if (!counted)
    return std::optional<Ranking>();
  return std::optional(TRY(ranked_by(source, *counted, commit, tests, rank::Method::Ours)));
}

} // namespace dragnet::check
