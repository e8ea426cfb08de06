// The time of day.
#pragma once

#include <cstdint>

namespace dragnet {

/// Milliseconds since 1970, UTC.
std::int64_t milliseconds_since_1970();

} // namespace dragnet
