#include "check/same_work.h"

#include "analysis/explain/both_sides.h"
#include "analysis/explain/explain.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "check/exoneration.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/lab.h"
#include "model/profile.h"
#include "model/run.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// What follows from the work that the processor does.
constexpr std::array<std::string_view, 5> follow_from_work{"wall", "cpu", "user", "system",
                                                           "instructions"};

bool judged_by_work(const Benchmark& benchmark) {
  return std::ranges::all_of(benchmark.metrics, [](const std::string& metric) {
    return std::ranges::find(follow_from_work, metric) != follow_from_work.end();
  });
}

// What both builds use beside the processor. That hardly depends on when it is looked at: runs that
// are kept serve.
Result<std::vector<Pair>> at_least_one_pair(lab::Laboratory& laboratory, const Duel& duel) {
  auto pairs = TRY(laboratory.kept_pairs(duel));
  if (!pairs.empty())
    return pairs;
  Pair pair;
  pair.base = TRY(laboratory.runs(duel.base, duel.benchmark, duel.method, 1)).back();
  pair.candidate = TRY(laboratory.runs(duel.candidate, duel.benchmark, duel.method, 1)).back();
  if (pair.base.finished() && pair.candidate.finished())
    pairs.push_back(std::move(pair));
  return pairs;
}

} // namespace

bool can_be_counted(const CountedSides& sides, const Benchmark& benchmark) {
  if (!judged_by_work(benchmark) || sides.before.counting == Counting::Sampled)
    return false;
  const auto unchanged =
      explain::work_difference(explain::both_sides(sides.before, sides.before, sides.difference));
  return changed_too_little(unchanged.changed, benchmark);
}

Result<std::optional<double>> counted_same_work(lab::Laboratory& laboratory,
                                                const CountedSides& sides,
                                                const Benchmark& benchmark) {
  const auto now = laboratory.profile(sides.commit, benchmark);
  if (!now && interrupted())
    return now.error();
  // What cannot be counted is measured, and shows there what is wrong with it.
  if (!now || now->counting != sides.before.counting)
    return std::optional<double>();
  const auto work =
      explain::work_difference(explain::both_sides(sides.before, *now, sides.difference));
  if (!does_the_same_work(work, benchmark))
    return std::optional<double>();
  const auto pairs =
      TRY(at_least_one_pair(laboratory, {sides.base, sides.commit, benchmark, Method::Timed}));
  return uses_the_same(pairs) ? std::optional(work.changed) : std::nullopt;
}

} // namespace dragnet::check
