#include "stats/rates.h"

#include "stats/distributions.h"
#include "stats/interval.h"

#include <algorithm>
#include <cmath>

namespace dragnet::stats {

Interval wilson(double rate, double cases, double confidence) {
  if (cases <= 0)
    return {.low = 0, .high = 1};
  const double z = normal_quantile(1 - ((1 - confidence) / 2));
  const double weight = z * z / cases;
  const double centre = (rate + (weight / 2)) / (1 + weight);
  const double reach =
      std::sqrt((rate * (1 - rate) * weight) + (weight * weight / 4)) / (1 + weight);
  // At 0 and 1 the interval ends exactly there, whatever rounding says.
  return {.low = rate <= 0 ? 0 : std::max(0.0, centre - reach),
          .high = rate >= 1 ? 1 : std::min(1.0, centre + reach)};
}

} // namespace dragnet::stats
