// The series of measurements along a history and their changes, in terms of commits: for whoever
// shows them.
#pragma once

#include "analysis/change_points/detector.h"
#include "analysis/change_points/noise.h"
#include "base/result.h"
#include "base/units.h"
#include "model/commit.h"
#include "model/metric.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::change_points {

/// One benchmark and metric along a history.
struct Series {
  std::string benchmark;
  Metric metric;
  std::string source;        ///< "timed", "counted", or the machine that imported values come from
  bool measured_here = true; ///< not imported
  Nature nature = Nature::Noisy;
  double smallest_effect = 0.02;
  std::vector<Point> points;
  std::map<std::size_t, std::string> gaps; ///< positions that were tried in vain: why
  std::vector<Change> changes;
};

struct Timeline {
  std::vector<Commit> commits;             ///< oldest first
  std::string order;                       ///< "along first parents"
  std::map<std::size_t, std::string> gaps; ///< positions that do not build: why
  std::vector<Series> series;

  std::size_t visited = 0;   ///< commits that were looked at, now or before
  std::size_t builds = 0;    ///< made now, failures included
  std::size_t runs = 0;      ///< made now
  std::size_t runs_kept = 0; ///< used, but made before
  double seconds = 0;        ///< spent now on building and running
  Seconds budget{0};
  bool budget_spent = false;       ///< it ended because of that
  std::optional<Error> stopped_by; ///< why it ended before its time
};

/// Whether a change is one for the worse.
bool is_worse(const Series& series, const Change& change);

/// Estimates what follows from the points of a series: its nature, and its changes.
void find_changes(Series& series);

/// 1 something became worse, else 4 nothing was measured, else 3 the budget was spent, else 0.
int exit_status(const Timeline& timeline);

} // namespace dragnet::change_points
