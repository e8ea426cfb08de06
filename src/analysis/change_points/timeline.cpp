#include "analysis/change_points/timeline.h"

#include "analysis/change_points/detector.h"
#include "analysis/change_points/noise.h"
#include "model/metric.h"
#include "model/verdict.h"

#include <algorithm>
#include <cmath>

namespace dragnet::change_points {
namespace {

// Counts of which every repetition says the same are the truth.
bool repeats(const Series& series) {
  constexpr double agreement = 1e-4;
  return series.metric.nature == dragnet::Nature::Count &&
         std::ranges::all_of(series.points, [](const Point& point) {
           return point.deviation <= agreement * std::abs(point.value);
         });
}

} // namespace

bool is_worse(const Series& series, const Change& change) {
  return (change.size > 0) == (series.metric.better == Better::Lower);
}

void find_changes(Series& series) {
  series.nature = repeats(series) ? Nature::Exact : Nature::Noisy;
  series.changes.clear();
  if (series.points.size() < 2)
    return;
  Rule rule;
  rule.nature = series.nature;
  rule.smallest_effect = series.smallest_effect;
  series.changes = find_changes(series.points, rule);
}

int exit_status(const Timeline& timeline) {
  const auto regressed = [](const Series& series) {
    return std::ranges::any_of(series.changes,
                               [&](const Change& change) { return is_worse(series, change); });
  };
  if (std::ranges::any_of(timeline.series, regressed))
    return 1;
  if (std::ranges::all_of(timeline.series, [](const Series& one) { return one.points.empty(); }))
    return 4;
  return timeline.budget_spent ? 3 : 0;
}

} // namespace dragnet::change_points
