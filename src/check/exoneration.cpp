#include "check/exoneration.h"

#include "analysis/explain/explain.h"
#include "base/units.h"
#include "model/benchmark.h"
#include "model/lab.h"
#include "model/run.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

// Instructions that moved by less than this share of the run did not move.
constexpr double next_to_nothing = 1e-4;

// An instruction that waits for memory takes no longer than this many others.
constexpr double slowest_instruction = 100;

// Code that executes as many instructions as before does not become this many times as slow.
constexpr double least_credible = 5;

// Where nothing was timed that the processor's share could be seen in, it takes more to be sure.
constexpr double least_credible_unseen = 10;

struct Medians {
  double before = 0;
  double now = 0;
  double more = 0; ///< of now - before, pair by pair: what both sides of a pair suffer cancels out
};

std::optional<Medians> medians_of(std::span<const Pair> pairs, const std::string& metric) {
  std::vector<double> before;
  std::vector<double> now;
  std::vector<double> more;
  for (const Pair& pair : pairs) {
    const auto old_value = pair.base.samples.find(metric);
    const auto new_value = pair.candidate.samples.find(metric);
    if (old_value == pair.base.samples.end() || new_value == pair.candidate.samples.end())
      return std::nullopt;
    before.push_back(old_value->second);
    now.push_back(new_value->second);
    more.push_back(new_value->second - old_value->second);
  }
  if (before.empty())
    return std::nullopt;
  return Medians{stats::median(before), stats::median(now), stats::median(more)};
}

// What a benchmark uses beside the processor, and by how much each may differ by chance.
struct Use {
  const char* metric;
  double share; ///< of what may differ of others
  double amount;
};
constexpr double by_chance = 0.01;
constexpr std::array<Use, 6> uses{{{"memory", 1, 65536},
                                   {"page-faults", 1, 8},
                                   {"bytes-read", 0, 0},
                                   {"bytes-written", 0, 0},
                                   {"reads", 0, 0},
                                   {"writes", 0, 0}}};

// Whether most of the time that it took more or less was spent in the processor, and not waiting.
bool processor_moved(const Medians& wall, std::span<const Pair> pairs) {
  const auto processor = medians_of(pairs, "cpu");
  return processor && processor->more / wall.more >= 0.5;
}

// Whether what it does otherwise is too little to show: less than `little` of all instructions.
bool does_the_same_otherwise(const explain::WorkDifference& work, double little) {
  return work.edited < little && work.unchanged < little && work.outside < same_work &&
         std::abs(work.total) < same_work;
}

bool uses_alike(std::span<const Pair> pairs, double share) {
  return std::ranges::all_of(uses, [&](const Use& use) {
    const auto medians = medians_of(pairs, use.metric);
    return medians && std::abs(medians->now - medians->before) <=
                          std::max(use.amount, share * use.share * medians->before);
  });
}

// How many times as long the changed code would have to take to be behind a change of time, if its
// share of the instructions is its share of the time.
double times_as_slow(const explain::WorkDifference& work, double moved) {
  return 1 + (moved / std::max(work.changed, 1e-12));
}

// The smallest change that matters in any metric.
double smallest_effect(const Benchmark& benchmark) {
  double smallest = 1;
  for (const std::string& metric : benchmark.metrics)
    smallest = std::min(smallest, benchmark.smallest_effect_of(metric));
  return smallest;
}

} // namespace

bool changed_too_little(double share, const Benchmark& benchmark) {
  // One iteration of a suite's case says nothing about the share of changed code in many.
  return !measures_itself(benchmark.suite) &&
         share * (least_credible_unseen - 1) <= smallest_effect(benchmark);
}

bool does_the_same_work(const explain::WorkDifference& work, const Benchmark& benchmark) {
  return does_the_same_otherwise(work, next_to_nothing) &&
         changed_too_little(work.changed, benchmark);
}

bool uses_the_same(std::span<const Pair> pairs) {
  return uses_alike(pairs, by_chance);
}

std::optional<std::string> exoneration(const explain::WorkDifference& work,
                                       const Benchmark& benchmark, std::span<const Pair> pairs) {
  if (work.changed == 0 && std::abs(work.total) < same_work)
    return fmt::format("It executes nothing that the commit changed, and as many instructions as "
                       "before ({}): the placement of code in memory, or the machine, moved its "
                       "numbers.",
                       format_change(work.total));
  const auto wall = medians_of(pairs, "wall");
  // One iteration of a suite's case says nothing about the share of changed code in many.
  if (measures_itself(benchmark.suite) || !wall || !processor_moved(*wall, pairs))
    return std::nullopt;
  const double moved = std::abs(wall->more / wall->before);
  if (!does_the_same_otherwise(work, std::max(next_to_nothing, moved / slowest_instruction)) ||
      !uses_alike(pairs, std::max(by_chance, moved / least_credible)))
    return std::nullopt;
  const double slower = times_as_slow(work, moved);
  if (slower < least_credible)
    return std::nullopt;
  return fmt::format(
      "The changed code is {:.2g} % of its instructions and would have to be {:.0f} times as slow; "
      "what else it does differently is far too little, in instructions, memory, reads and writes: "
      "the placement of code in memory, or the machine, moved its numbers.",
      100 * work.changed, slower);
}

} // namespace dragnet::check
