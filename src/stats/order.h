// Which program of a pair runs first: a fair coin per pair that depends on nothing that is
// measured. The sequential test rests on this coin: it makes the two programs exchangeable when
// they are equal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dragnet::stats {

/// Whether the new program runs first in this pair; the same for the same seed and pair, always.
bool new_first(std::uint64_t seed, std::size_t pair);

} // namespace dragnet::stats
