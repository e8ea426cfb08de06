#include "check/explanation.h"

#include "analysis/explain/both_sides.h"
#include "analysis/explain/call_tree.h"
#include "analysis/explain/explain.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "base/units.h"
#include "check/exoneration.h"
#include "check/stack_reasons.h"
#include "check/stacks.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/function.h"
#include "model/lab.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/run.h"
#include "model/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// Functions that are listed for a benchmark.
constexpr std::size_t most_functions = 25;
// Sentences about what its stacks do.
constexpr std::size_t most_stacks = 3;
// A run that takes more seconds is not watched several times unless somebody asks for it.
constexpr double longest_watched = 5;

explain::Direction direction_of(const CheckedBenchmark& checked) {
  return checked.verdict == Verdict::Improved ? explain::Direction::Better
                                              : explain::Direction::Worse;
}

// "4.3 % more instructions", "3.5 times as many instructions".
std::string work_text(double more) {
  if (more >= 1)
    return fmt::format("{:.3g} times as many instructions", 1 + more);
  return fmt::format("{:.3g} % {} instructions", 100 * std::abs(more), more < 0 ? "fewer" : "more");
}

bool moved(const CheckedMetric& metric) {
  return metric.verdict == Verdict::Regressed || metric.verdict == Verdict::Improved;
}

void exonerate(CheckedBenchmark& checked, std::string why) {
  for (CheckedMetric& metric : checked.metrics)
    if (moved(metric) && metric.metric.nature == Nature::Noisy)
      metric.verdict = Verdict::Exonerated;
  checked.why.push_back(std::move(why));
}

// What the reader should know about the work beside the functions.
std::string work_sentence(const explain::WorkDifference& work) {
  if (work.changed == 0)
    return fmt::format("It executes no function that the commit changed, but {}: look at data and "
                       "files that it reads.",
                       work_text(work.total));
  if (std::abs(work.total) < same_work)
    return fmt::format(
        "It executes as many instructions as before ({}), {:.2g} % of them in functions that the "
        "commit changed: memory, system calls or the placement of code moved its numbers.",
        format_change(work.total), 100 * work.changed);
  return fmt::format("It executes {}; {:.2g} % are in functions that the commit changed.",
                     work_text(work.total), 100 * work.changed);
}

} // namespace

Result<const Difference*> Explainer::difference() {
  if (!difference_)
    difference_ = laboratory_.full_difference(base_, commit_);
  if (!*difference_)
    return difference_->error();
  return &**difference_;
}

Result<> Explainer::explain(const Benchmark& benchmark, CheckedBenchmark& checked) {
  const auto differs = difference();
  const auto before =
      differs ? laboratory_.profile(base_, benchmark) : Result<Profile>(differs.error());
  const auto now =
      before ? laboratory_.profile(commit_, benchmark) : Result<Profile>(before.error());
  if (!now && interrupted())
    return now.error();
  if (!now) {
    checked.why.push_back(fmt::format("It could not be explained: {}.", now.error().what));
    return success();
  }
  const auto sides = explain::both_sides(*before, *now, **differs);
  checked.tree = explain::call_tree(sides, {});
  const auto work = explain::work_difference(sides);
  const auto pairs = TRY(laboratory_.kept_pairs({base_, commit_, benchmark, Method::Timed}));
  if (auto why = exoneration(work, benchmark, pairs)) {
    exonerate(checked, std::move(*why));
    return success();
  }
  if (std::abs(work.total) < same_work)
    TRY(placement_.attempt(benchmark, checked));
  if (std::ranges::none_of(checked.metrics, moved))
    return success();
  // A suite's case is profiled for one iteration: its shares say nothing about the measured ones.
  if (!measures_itself(benchmark.suite))
    checked.why.push_back(work_sentence(work));
  add_functions(sides, checked);
  return !measures_itself(benchmark.suite) ? add_stacks(benchmark, pairs, checked) : success();
}

void Explainer::add_functions(const explain::BothSides& sides, CheckedBenchmark& checked) const {
  checked.functions = explain::changed_functions(sides, direction_of(checked), most_functions);
  std::vector<FunctionId> functions;
  functions.reserve(checked.functions.size());
  for (const ChangedFunction& function : checked.functions)
    functions.push_back(function.function);
  const auto places = laboratory_.places(commit_, functions);
  for (ChangedFunction& function : checked.functions)
    if (const auto found = places.find(function.function); found != places.end())
      function.place = found->second;
}

Result<> Explainer::add_stacks(const Benchmark& benchmark, const std::vector<Pair>& pairs,
                               CheckedBenchmark& checked) {
  if (pairs.empty() || pairs.back().candidate.seconds > longest_watched) {
    checked.why.push_back(fmt::format("dragnet explain {} {} -b {} tells what its stacks do.",
                                      base_.commit.id.brief(), commit_.commit.id.brief(),
                                      benchmark.name));
    return success();
  }
  StackQuestion question;
  question.bases = {base_};
  question.commit = commit_;
  question.benchmark = benchmark;
  question.difference = TRY(difference());
  const auto compared = compare_stacks(laboratory_, question, progress_);
  if (!compared && interrupted())
    return compared.error();
  if (!compared) {
    checked.why.push_back(
        fmt::format("Its stacks could not be watched: {}.", compared.error().what));
    return success();
  }
  for (std::string& sentence : stack_sentences(compared->report, most_stacks))
    checked.why.push_back(std::move(sentence));
  return success();
}

} // namespace dragnet::check
