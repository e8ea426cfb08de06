// Where the next pair is worth most: where a change is likely, and a decision near and cheap.
#pragma once

#include "analysis/compare/judge.h"

#include <cstddef>
#include <span>

namespace dragnet::compare {

/// A duel that could get the next pair.
struct Opportunity {
  double worth = 1;        ///< the probability that something changed
  double pair_seconds = 0; ///< of a pair; 0: none was measured yet
  double pairs_left = 1;   ///< until a decision, estimated
};

/// How many more pairs a row needs until it is decided, estimated from how the interval shrinks: at
/// least half as many as it took so far.
double pairs_to_decision(const Assessment& assessment, double smallest_effect);

/// The place of the best opportunity; there must be one. Whatever has no pair yet comes first, the
/// likeliest change first; then the most probable decision per second. Of equals the first.
std::size_t best(std::span<const Opportunity> opportunities);

} // namespace dragnet::compare
