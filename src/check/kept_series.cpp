#include "check/kept_series.h"

#include "analysis/change_points/timeline.h"
#include "base/result.h"
#include "check/track.h"
#include "model/commit.h"
#include "model/metric.h"
#include "model/record.h"
#include "model/run.h"
#include "store/store.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

using change_points::Series;
using change_points::Timeline;

// What makes values comparable with each other.
struct Kind {
  std::string benchmark;
  std::string metric;
  std::string source;
  std::string definition;
  bool measured_here = true;

  auto operator<=>(const Kind&) const = default;
};

// The runs of one series, by position.
using Runs = std::map<std::size_t, std::vector<Run>>;

bool is_wanted(const std::string& metric, const std::vector<std::string>& metrics) {
  return metrics.empty() || std::ranges::find(metrics, metric) != metrics.end();
}

Kind kind_of(const Record& record, const std::string& metric) {
  if (record.build.purpose == Purpose::Imported)
    return {.benchmark = record.benchmark.name,
            .metric = metric,
            .source = fmt::format("{} on {}", record.benchmark.command, record.machine.host_name),
            .definition = {},
            .measured_here = false};
  return {.benchmark = record.benchmark.name,
          .metric = metric,
          .source = std::string(name(record.method)),
          .definition = record.benchmark.key,
          .measured_here = true};
}

std::map<std::string, std::size_t> positions_of(const std::vector<Commit>& commits) {
  std::map<std::string, std::size_t> positions; // by tree
  for (std::size_t i = 0; i < commits.size(); ++i)
    positions.emplace(commits[i].tree, i);
  return positions;
}

Series series_of(const Kind& kind, const Runs& runs, double smallest_effect) {
  Series series;
  series.benchmark = kind.benchmark;
  series.metric = metric_named(kind.metric);
  series.source = kind.source;
  series.measured_here = kind.measured_here;
  series.smallest_effect = smallest_effect;
  Track track({}, Method::Timed, {std::move(series)});
  for (const auto& [position, some] : runs)
    track.take(position, some);
  return track.series().front();
}

Result<Timeline> follow(store::Store& store, const KeptRequest& request,
                        const std::function<bool(const Record&)>& counts) {
  const auto positions = positions_of(request.commits);
  std::map<Kind, Runs> kinds;
  Timeline timeline;
  timeline.commits = request.commits;
  timeline.order = request.order;
  std::set<std::size_t> visited;
  for (const Record& record :
       TRY(store.records({.commit = {}, .benchmarks = request.benchmarks}))) {
    const auto position = positions.find(record.build.commit.tree);
    if (position == positions.end() || !counts(record))
      continue;
    visited.insert(position->second);
    for (const auto& [metric, value] : record.run.samples)
      if (is_wanted(metric, request.metrics)) {
        kinds[kind_of(record, metric)][position->second].push_back(record.run);
        ++timeline.runs_kept;
      }
  }
  for (const auto& [kind, runs] : kinds)
    timeline.series.push_back(series_of(kind, runs, request.smallest_effect));
  timeline.visited = visited.size();
  return timeline;
}

} // namespace

Result<Timeline> follow_imported(store::Store& store, const KeptRequest& request) {
  return follow(store, request,
                [](const Record& record) { return record.build.purpose == Purpose::Imported; });
}

Result<Timeline> follow_kept(store::Store& store, const KeptRequest& request,
                             const std::string& machine) {
  return follow(store, request, [&](const Record& record) {
    return record.build.purpose == Purpose::Imported || record.machine.key == machine;
  });
}

} // namespace dragnet::check
