#include "analysis/select/example.h"

#include <cmath>

namespace dragnet::select {

Truth truth_by_count(double old_instructions, double new_instructions, double least_change) {
  constexpr double rounding = 1e-12;
  if (!(old_instructions > 0) || !(new_instructions > 0))
    return Truth::Unknown;
  const double change = std::abs(new_instructions - old_instructions) / old_instructions;
  return change >= least_change * (1 - rounding) ? Truth::Hit : Truth::Dismiss;
}

} // namespace dragnet::select
