// How far a rate that was seen may be from the true one.
#pragma once

#include "stats/interval.h"

namespace dragnet::stats {

/// Wilson's score interval (1927) of a rate that was seen in so many independent cases; from 0 to 1
/// when there are none. The number of cases need not be whole.
Interval wilson(double rate, double cases, double confidence = 0.95);

} // namespace dragnet::stats
