// A series along a history as JSON, for the documents that hold some.
#pragma once

#include "analysis/change_points/timeline.h"
#include "base/json.h"

namespace dragnet::report {

/// As docs/json.md describes it in a history.
Json series_json(const change_points::Timeline& timeline, const change_points::Series& series);

} // namespace dragnet::report
