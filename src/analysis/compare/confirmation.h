// A regression is announced only after fresh pairs have shown it again: those that were taken after
// it was first seen, which chance did not choose.
#pragma once

#include "analysis/compare/judge.h"

#include <cstddef>
#include <cstdint>

namespace dragnet::compare {

/// What the fresh pairs say of a regression that the pairs before them have shown.
enum class Confirmation : std::uint8_t {
  Open,      ///< not enough of them yet
  Confirmed, ///< they show it, too
  Refuted    ///< they rule out a change as large as the smallest effect
};

/// Fresh pairs that show a change although there is none, at most: whoever sees a regression twice
/// was wrong twice.
inline constexpr double confirmation_rate = 0.05;

/// Looks at the pairs from `first_fresh` on, alone; may be asked after every pair.
Confirmation confirmation(const Evidence& evidence, std::size_t first_fresh, const Rule& rule);

} // namespace dragnet::compare
