// Quantities as people read and write them: durations, bytes, percentages.
#pragma once

#include "base/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace dragnet {

using Seconds = std::chrono::duration<double>;

/// A duration written as people do: "90s", "5m", "1h30m", "250ms"; a plain number means seconds.
Result<Seconds> parse_duration(std::string_view text);

/// A duration for people, with three digits and a fitting unit: "412 ms", "3.10 s", "2 min 5 s".
std::string format_duration(Seconds duration);

/// A value in a unit ("s", "B", or a count's name) for people: "41.2 ms", "3.4 MiB", "1.20 M".
std::string format_quantity(double value, std::string_view unit);

/// A relative change with its sign: 0.0512 becomes "+5.1 %".
std::string format_change(double change);

} // namespace dragnet
