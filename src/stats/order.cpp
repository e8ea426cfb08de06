#include "stats/order.h"

#include <cstddef>
#include <cstdint>

namespace dragnet::stats {
namespace {

// The mixing function of SplitMix64 (Steele, Lea and Flood 2014), which spreads every bit of its
// input over all bits of its output; twice, so that neighbouring seeds have nothing in common.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

} // namespace

bool new_first(std::uint64_t seed, std::size_t pair) {
  return (mix(mix(seed) ^ pair) >> 63U) != 0;
}

} // namespace dragnet::stats
