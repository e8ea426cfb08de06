// The changes of benchmarks along a history, for people and for programs.
#pragma once

#include "analysis/change_points/timeline.h"

#include <string>

namespace dragnet::report {

/// What a report names beside the timeline itself.
struct TimelineHeading {
  std::string project;
  std::string version; ///< of Dragnet
};

/// One sentence, then a line for each change with its commit and those that could equally be it,
/// then what could not be measured and what it took.
std::string timeline_text(const change_points::Timeline& timeline, bool colours);

/// The document "history", as docs/json.md describes it.
std::string timeline_json(const change_points::Timeline& timeline, const TimelineHeading& heading);

} // namespace dragnet::report
