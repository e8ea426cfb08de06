// What the documents "comparison" and "check" say about a metric.
#pragma once

#include "base/json.h"
#include "model/check.h"
#include "model/run.h"

#include <cstddef>

namespace dragnet::report {

/// A row without its benchmark, as docs/json.md describes it.
Json metric_json(const CheckedMetric& metric, std::size_t pairs);

/// A side of the question: its commit and its build.
Json side_json(const Build& build);

} // namespace dragnet::report
