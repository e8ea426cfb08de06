// The orders that the published method was compared with (Mostafa, Wang and Xie 2017, section 4.4).
// In all, tests that reach no changed function come last, in the order of the profiles.
#pragma once

#include "analysis/structure/program.h"
#include "model/source.h"

#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace dragnet::rank {

/// Tests by their places among the profiles, first to last.
using Order = std::vector<std::size_t>;

/// Whether a test executes a function that the commit revises or removes.
bool reaches_a_change(const structure::Program& program, const SourceProfile& profile);

/// Change-aware random: those that reach something changed, shuffled. The paper takes the mean
/// result of 100 such orders.
Order random_order(const structure::Program& program, std::span<const SourceProfile> profiles,
                   std::mt19937_64& random);

/// Change-aware coverage: next is always the test that covers most functions that none before it
/// covered; when all are covered, it begins anew.
Order coverage_order(const structure::Program& program, std::span<const SourceProfile> profiles);

/// Change-aware loop coverage: the same with loops.
Order loop_coverage_order(const structure::Program& program,
                          std::span<const SourceProfile> profiles);

} // namespace dragnet::rank
