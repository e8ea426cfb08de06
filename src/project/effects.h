// Reads the smallest effect that matters to the user: a share, a percentage, or one of them for
// each metric.
#pragma once

#include "project/section.h"

#include <map>
#include <string>

namespace dragnet::project {

/// Changes `effects` (by metric, "" for all) to what the section says. One value replaces all of
/// them; a table replaces those that it names.
void read_smallest_effect(const Section& section, std::map<std::string, double>& effects);

} // namespace dragnet::project
