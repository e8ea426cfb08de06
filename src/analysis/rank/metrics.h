// How good an order of tests is (Mostafa, Wang and Xie 2017, section 4.3). All take how much each
// test's cost really changed, in the order in which the tests are run.
#pragma once

#include <cstddef>
#include <span>

namespace dragnet::rank {

/// |now - base| / base (formula 6); 0 where the base is 0.
double change(double base, double now);

/// The mean over x of the share of all change that the first x tests cover, 0 to 1 (formulas 5
/// and 7). Not a number where nothing changed.
double apfd_p(std::span<const double> changes);

/// Formula 8: change(1) + the sum over i >= 2 of change(i) / log2(i).
double discounted_gain(std::span<const double> changes);

/// The discounted gain as a share of that of the best order, 0 to 1. Not a number where nothing
/// changed.
double normalized_gain(std::span<const double> changes);

/// The share of the tests that has to be run to cover the `most` most changed ones, 0 to 1. Of
/// equal changes, the one that is run first counts.
double top_share(std::span<const double> changes, std::size_t most);

} // namespace dragnet::rank
