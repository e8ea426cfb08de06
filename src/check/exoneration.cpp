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

// Changed code that is executed this little, as a share of the instructions, cannot have become
// slower by as much as anybody would notice.
constexpr double next_to_nothing = 1e-4;

struct Medians {
  double before = 0;
  double now = 0;
};

std::optional<Medians> medians_of(std::span<const Pair> pairs, const std::string& metric) {
  std::vector<double> before;
  std::vector<double> now;
  for (const Pair& pair : pairs) {
    const auto old_value = pair.base.samples.find(metric);
    const auto new_value = pair.candidate.samples.find(metric);
    if (old_value == pair.base.samples.end() || new_value == pair.candidate.samples.end())
      return std::nullopt;
    before.push_back(old_value->second);
    now.push_back(new_value->second);
  }
  if (before.empty())
    return std::nullopt;
  return Medians{stats::median(before), stats::median(now)};
}

// What a benchmark uses beside the processor, and by how much each may differ by chance.
struct Use {
  const char* metric;
  double share;
  double amount;
};
constexpr std::array<Use, 6> uses{{{"memory", 0.01, 65536},
                                   {"page-faults", 0.01, 8},
                                   {"bytes-read", 0, 0},
                                   {"bytes-written", 0, 0},
                                   {"reads", 0, 0},
                                   {"writes", 0, 0}}};

bool uses_the_same(std::span<const Pair> pairs) {
  return std::ranges::all_of(uses, [&](const Use& use) {
    const auto medians = medians_of(pairs, use.metric);
    return medians && std::abs(medians->now - medians->before) <=
                          std::max(use.amount, use.share * medians->before);
  });
}

// Whether most of the time that it took more or less was spent in the processor, and not waiting.
bool processor_moved(std::span<const Pair> pairs) {
  const auto wall = medians_of(pairs, "wall");
  const auto processor = medians_of(pairs, "cpu");
  if (!wall || !processor)
    return false;
  const double more = wall->now - wall->before;
  return (processor->now - processor->before) / more >= 0.5;
}

bool does_the_same_otherwise(const explain::WorkDifference& work) {
  return work.changed < next_to_nothing && work.unchanged < next_to_nothing &&
         work.outside < same_work;
}

} // namespace

std::optional<std::string> exoneration(const explain::WorkDifference& work,
                                       const Benchmark& benchmark, std::span<const Pair> pairs) {
  if (work.changed == 0 && std::abs(work.total) < same_work)
    return fmt::format("It executes nothing that the commit changed, and as many instructions as "
                       "before ({}): the placement of code in memory, or the machine, moved its "
                       "numbers.",
                       format_change(work.total));
  // One iteration of a suite's case says nothing about the share of changed code in many.
  if (benchmark.suite != Suite::None || !does_the_same_otherwise(work) || !uses_the_same(pairs) ||
      !processor_moved(pairs))
    return std::nullopt;
  return fmt::format("What it executes of the changed code is {:.2g} % of its instructions; all "
                     "else executes exactly what it did before, with the same memory, reads and "
                     "writes, and the processor only took another time for it: the placement of "
                     "code in memory, or the machine, moved its numbers.",
                     100 * work.changed);
}

} // namespace dragnet::check
