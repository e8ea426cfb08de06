// HTML reports of what the store holds.
#pragma once

#include "analysis/change_points/timeline.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "report/contents.h"

#include <string>

namespace dragnet::cli {

/// What a report at a commit shows: the series of the line of commits that leads to it, and a
/// document "check", or nothing where that is empty.
Result<report::Contents> contents_at(lab::Laboratory& lab, const Commit& commit, std::string check);

} // namespace dragnet::cli
