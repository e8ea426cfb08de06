// Words and colours that texts about verdicts share.
#pragma once

#include "model/check.h"
#include "model/verdict.h"
#include "report/table.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dragnet::report {

Colour colour_of(Verdict verdict);

/// The names with commas between them; of many only the first four, and how many more there are.
std::string some(std::span<const std::string> names);

/// "s" unless there is one.
constexpr std::string_view plural(std::size_t count) {
  return count == 1 ? "" : "s";
}

/// "+24.3 % (+20.0 % to +30.0 %)", "~" for no change, "-" when there was no pair.
std::string change_text(const CheckedMetric& metric, std::size_t pairs);

} // namespace dragnet::report
