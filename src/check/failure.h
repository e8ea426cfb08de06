// Why a build or a run is of no use, in words that follow the name of a commit.
#pragma once

#include "model/run.h"

#include <string>

namespace dragnet::check {

/// "does not build"; empty where it was built.
std::string why_unusable(const Build& build);

/// "the benchmark failed with exit status 1"; empty where the run finished.
std::string why_unusable(const Run& run);

/// The same, or "has no value of memory"; empty where the run has a value above 0 of the metric.
std::string why_unusable(const Run& run, const std::string& metric);

} // namespace dragnet::check
