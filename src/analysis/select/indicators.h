// The eight indicator templates of Oliveira et al. (2017, Table I) as numbers: a template with
// threshold X is the condition "the number is at least X". A renamed function counts as one deleted
// and one new, because the paper knows functions by their names only, and a function is changed if
// its code is: a change of data alone does not show in the published static data.
#pragma once

#include "analysis/select/executed.h"
#include "model/function.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dragnet::select {

/// In the order of the table, which also decides ties.
enum class Indicator : std::uint8_t {
  Deleted,             ///< functions of the old build that the new one lacks
  New,                 ///< functions of the new build that the old one lacks
  ReachedDeleted,      ///< deleted functions that the benchmark executes
  TopByCalls,          ///< highest rank by calls, 0 to 100, of a changed executed function
  TopByCallsMuch,      ///< the same, of those whose length changed by at least 10 %
  TopByInstructions,   ///< highest rank by executed instructions of a changed executed function
  LengthChange,        ///< largest change of a function's static instructions, in percent
  ReachedLengthChange, ///< the same, of executed functions
};

constexpr std::size_t indicator_count = 8;

using Indicators = std::array<double, indicator_count>;

/// The word of tables and columns: "deleted", "top_by_calls", ...
std::string_view name(Indicator indicator);

/// All eight for one benchmark, from the difference of the profiled build to the new one and what
/// was executed. Where calls are unknown because the profile is sampled, ranks are by samples.
Indicators indicators_of(const Difference& difference, const Executed& executed);

} // namespace dragnet::select
