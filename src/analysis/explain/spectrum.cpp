#include "analysis/explain/spectrum.h"

#include "analysis/explain/watched.h"
#include "stats/interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace dragnet::explain {
namespace {

// How far a value lies outside, with its sign; without a range, all of it does.
double distance(double value, const std::optional<stats::Interval>& range) {
  if (!range)
    return value;
  return std::min(value - range->low, 0.0) + std::max(value - range->high, 0.0);
}

bool lies_inside(double value, const std::optional<stats::Interval>& range) {
  return range && value >= range->low && value <= range->high;
}

} // namespace

std::optional<stats::Interval> range_of(std::span<const RunUse> runs) {
  std::optional<stats::Interval> range;
  for (const RunUse& run : runs) {
    if (run.calls <= 0)
      continue;
    const double value = run.per_call();
    range = range ? stats::Interval{std::min(range->low, value), std::max(range->high, value)}
                  : stats::Interval{value, value};
  }
  return range;
}

double similarity_to_ones(std::size_t ones, std::size_t length) {
  return length == 0 ? 1 : std::sqrt(static_cast<double>(ones) / static_cast<double>(length));
}

Spectrum spectrum_of(std::span<const RunUse> before, std::span<const RunUse> now) {
  Spectrum row{.range = range_of(before), .of = now.size()};
  std::size_t inside = 0;
  double outside = 0;
  for (const RunUse& run : now) {
    if (run.calls <= 0)
      continue;
    ++row.runs;
    inside += lies_inside(run.per_call(), row.range) ? 1 : 0;
    outside += distance(run.per_call(), row.range);
  }
  row.similarity = similarity_to_ones(inside, row.runs);
  row.calls = mean_of(now).calls;
  row.calls_difference = row.calls - mean_of(before).calls;
  row.impact = inside == row.runs ? 0 : outside / static_cast<double>(row.runs - inside);
  row.total_impact = row.calls * row.impact;
  return row;
}

RunUse mean_of(std::span<const RunUse> runs) {
  RunUse sum;
  for (const RunUse& run : runs) {
    sum.calls += run.calls;
    sum.amount += run.amount;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(runs.size(), 1));
  return {.calls = sum.calls / count, .amount = sum.amount / count};
}

} // namespace dragnet::explain
