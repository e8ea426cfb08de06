// Which configurations to look at, by the strategies that are usual for performance of configurable
// systems. Each works on whatever finds valid configurations.
#pragma once

#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace dragnet::variants {

using Random = std::mt19937_64;

/// A number from 0 up to, but not including, the bound; the same on all platforms.
std::size_t below(Random& random, std::size_t bound);

/// A number from 0 up to 1; the same on all platforms.
double unit(Random& random);

/// From a standard normal distribution; the same on all platforms.
double normal(Random& random);

/// For each option, a valid configuration with it and as little else as possible.
std::vector<Configuration> feature_wise(ValidConfigurations& space);

/// For each option, a valid configuration with as much as possible but without it.
std::vector<Configuration> negative_feature_wise(ValidConfigurations& space);

/// For each two options, a valid configuration with them and as little else as possible.
std::vector<Configuration> pair_wise(ValidConfigurations& space);

/// One of all valid configurations: by rejection where many are valid, otherwise by a random walk
/// of flips and swaps whose limit is uniform over what it can reach. Nothing if none is valid.
std::vector<Configuration> uniform(ValidConfigurations& space, std::size_t count, Random& random);

/// The number of options that are on is spread evenly over its range (Kaltenecker et al. 2019).
std::vector<Configuration> distance_based(ValidConfigurations& space, std::size_t count,
                                          Random& random);

/// The options that exclude at least two others; two that exclude each other may do so by chance.
Configuration alternatives(ValidConfigurations& space);

/// A configuration, valid or not, with so many random options on.
Configuration with_random_on(std::size_t options, std::size_t on, Random& random);

} // namespace dragnet::variants
