// What this machine can measure and what adds noise on it.
#pragma once

#include "model/inspection.h"

#include <vector>

namespace dragnet::run {

/// Looks at everything that matters for measuring; takes about a tenth of a second, most of it to
/// watch the noise.
std::vector<Inspection> inspect_machine();

} // namespace dragnet::run
