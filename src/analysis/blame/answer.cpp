#include "analysis/blame/answer.h"

#include <algorithm>
#include <string_view>

namespace dragnet::blame {

Cost telling_cost(const TimeGrowth& in_time, double in_instructions) {
  // Time is noisy; only where it always moved far more than the count does something wait.
  constexpr double clear = 0.02;
  constexpr double far_more = 10;
  const bool waits =
      in_time.in_every_run && in_time.share > std::max(clear, far_more * in_instructions);
  return waits ? Cost::Time : Cost::Instructions;
}

std::string_view name_of(Cost cost) {
  return cost == Cost::Time ? "time" : "instructions";
}

} // namespace dragnet::blame
