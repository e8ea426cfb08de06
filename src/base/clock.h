// The time of day, and time that passes.
#pragma once

#include <cstdint>

namespace dragnet {

/// Milliseconds since 1970, UTC.
std::int64_t milliseconds_since_1970();

/// Seconds since some moment in the past; never goes back.
double steady_seconds();

} // namespace dragnet
