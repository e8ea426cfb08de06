// Correction for asking many questions at once.
#pragma once

#include <span>
#include <vector>

namespace dragnet::stats {

/// Holm's adjusted p-values, in the order given: reject those that are at most the family's rate.
std::vector<double> holm_adjusted(std::span<const double> p_values);

} // namespace dragnet::stats
