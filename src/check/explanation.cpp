#include "check/explanation.h"

#include "analysis/explain/both_sides.h"
#include "analysis/explain/call_tree.h"
#include "analysis/explain/explain.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "base/units.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/function.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/run.h"
#include "model/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// Functions that are listed for a benchmark.
constexpr std::size_t most_functions = 25;

// A benchmark executes as much as before if its instructions differ by less than this share: start
// up and the sizes of things in the environment make them differ a little.
constexpr double same_work = 0.001;

explain::Direction direction_of(const CheckedBenchmark& checked) {
  return checked.verdict == Verdict::Improved ? explain::Direction::Better
                                              : explain::Direction::Worse;
}

double more_work(const explain::BothSides& sides) {
  return (sides.now.total / sides.before.total) - 1;
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

void exonerate(CheckedBenchmark& checked, double more) {
  const std::string why = fmt::format(
      "It executes nothing that the commit changed, and as many instructions as before ({}): the "
      "placement of code in memory, or the machine, moved its numbers.",
      format_change(more));
  for (CheckedMetric& metric : checked.metrics)
    if (moved(metric) && metric.metric.nature == Nature::Noisy)
      metric.verdict = Verdict::Exonerated;
  checked.why.push_back(why);
}

// What the reader should know about the work beside the functions.
void tell_work(CheckedBenchmark& checked, const explain::BothSides& sides) {
  const double more = more_work(sides);
  const double share = explain::changed_share(sides);
  if (explain::executes_nothing_changed(sides))
    checked.why.push_back(
        fmt::format("It executes no function that the commit changed, but {}: look at data and "
                    "files that it reads.",
                    work_text(more)));
  else if (std::abs(more) < same_work)
    checked.why.push_back(fmt::format(
        "It executes as many instructions as before ({}), {:.2g} % of them in functions that the "
        "commit changed: memory, system calls or the placement of code moved its numbers.",
        format_change(more), 100 * share));
  else
    checked.why.push_back(fmt::format("It executes {}; {:.2g} % are in functions that the commit "
                                      "changed and what they call.",
                                      work_text(more), 100 * share));
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
  if (explain::executes_nothing_changed(sides) && std::abs(more_work(sides)) < same_work) {
    exonerate(checked, more_work(sides));
    return success();
  }
  // A suite's case is profiled for one iteration: its shares say nothing about the measured ones.
  if (benchmark.suite == Suite::None)
    tell_work(checked, sides);
  checked.functions = explain::changed_functions(sides, direction_of(checked), most_functions);
  std::vector<FunctionId> functions;
  for (const ChangedFunction& function : checked.functions)
    functions.push_back(function.function);
  const auto places = laboratory_.places(commit_, functions);
  for (ChangedFunction& function : checked.functions)
    if (const auto found = places.find(function.function); found != places.end())
      function.place = found->second;
  return success();
}

} // namespace dragnet::check
