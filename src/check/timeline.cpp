#include "check/timeline.h"

#include "analysis/change_points/timeline.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/failure.h"
#include "check/track.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/metric.h"
#include "model/rounds.h"
#include "model/run.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

using change_points::Series;
using change_points::Timeline;

Timeline empty_timeline(const TimelineRequest& request) {
  Timeline timeline;
  timeline.commits = request.commits;
  timeline.order = request.order;
  timeline.budget = request.budget;
  return timeline;
}

class Follower {
public:
  Follower(SearchLab& lab, const TimelineRequest& request, Progress& progress)
      : lab_(lab), request_(request), progress_(progress), timeline_(empty_timeline(request)) {}

  Result<Timeline> carry_out() {
    set_up();
    if (auto measured = measure(); !measured)
      timeline_.stopped_by = std::move(measured).error();
    for (const Track& track : tracks_)
      timeline_.series.insert(timeline_.series.end(), track.series().begin(), track.series().end());
    timeline_.visited = visited_.size();
    return std::move(timeline_);
  }

private:
  void set_up() {
    const std::size_t length = request_.commits.size();
    targets_ =
        request_.every > 0 ? regular_targets(length, request_.every) : spread_targets(length);
    for (const Benchmark& benchmark : request_.benchmarks)
      for (const Method method : {Method::Timed, Method::Counted})
        add_track(benchmark, method);
  }

  void add_track(const Benchmark& benchmark, Method method) {
    std::vector<Series> series;
    for (const std::string& metric : benchmark.metrics)
      if (request_.method_for(metric) == method) {
        Series one;
        one.benchmark = benchmark.name;
        one.metric = metric_named(metric);
        one.source = name(method);
        one.smallest_effect = benchmark.smallest_effect_of(metric);
        series.push_back(std::move(one));
      }
    if (!series.empty())
      tracks_.emplace_back(benchmark, method, std::move(series));
  }

  std::optional<Wish> wish_of(const Track& track) const {
    return track.wish(targets_, request_.every == 0);
  }

  // The first of all wishes.
  std::optional<Wish> first_wish() const {
    std::optional<Wish> first;
    for (const Track& track : tracks_)
      if (const auto wish = wish_of(track))
        if (!first ||
            std::tie(wish->stage, wish->position) < std::tie(first->stage, first->position))
          first = wish;
    return first;
  }

  Result<> measure() {
    while (const auto wish = first_wish()) {
      if (timeline_.seconds >= timeline_.budget.count()) {
        timeline_.budget_spent = true;
        break;
      }
      TRY(visit(wish->position));
    }
    return success();
  }

  Result<> visit(std::size_t position) {
    visited_.insert(position);
    const auto build = TRY(built(position));
    const bool sound = build.outcome == BuildOutcome::Built;
    if (!sound)
      timeline_.gaps[position] = why_unusable(build);
    for (Track& track : tracks_) {
      const auto wish = wish_of(track);
      if (!sound)
        track.skip(position);
      else if (wish && wish->position == position)
        TRY(run(track, position, build));
    }
    return success();
  }

  Result<Build> built(std::size_t position) {
    const Commit& commit = request_.commits[position];
    if (auto kept = TRY(lab_.known_build(commit)))
      return std::move(*kept);
    progress_.now(fmt::format("building {}", commit.id.brief()), share_done());
    auto build = TRY(lab_.build(commit));
    ++timeline_.builds;
    timeline_.seconds += build.seconds;
    return build;
  }

  Result<> run(Track& track, std::size_t position, const Build& build) {
    const std::size_t count = track.method() == Method::Counted ? 1 : request_.runs;
    const auto kept = TRY(lab_.runs(build, track.benchmark(), track.method(), 0));
    const auto runs = TRY(lab_.runs(build, track.benchmark(), track.method(), count));
    for (std::size_t i = kept.size(); i < runs.size(); ++i)
      timeline_.seconds += runs[i].seconds;
    timeline_.runs += runs.size() - std::min(runs.size(), kept.size());
    timeline_.runs_kept += kept.size();
    track.take(position, runs);
    return success();
  }

  double share_done() const {
    return std::min(1.0, timeline_.seconds / std::max(1e-9, timeline_.budget.count()));
  }

  SearchLab& lab_;
  const TimelineRequest& request_;
  Progress& progress_;
  Timeline timeline_;
  std::vector<Target> targets_;
  std::vector<Track> tracks_;
  std::set<std::size_t> visited_;
};

} // namespace

Result<Timeline> follow(SearchLab& lab, const TimelineRequest& request, Progress& progress) {
  return Follower(lab, request, progress).carry_out();
}

} // namespace dragnet::check
