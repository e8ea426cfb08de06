// The fittest individual for each thing that inputs can make a program execute, so that a search
// does not forget the only inputs that lead somewhere (as fuzzers keep what covers new code, and
// Mouret and Clune 2015 keep an elite for each feature).
#pragma once

#include "analysis/provoke/chromosome.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <vector>

namespace dragnet::provoke {

class Novelty {
public:
  void add(const Individual& individual, std::span<const std::uint32_t> traits);

  bool empty() const { return traits_.empty(); }

  /// One that has a rare trait; there must be any.
  const Chromosome& choose(std::mt19937_64& random) const;

private:
  struct Niche {
    std::size_t seen = 0;
    Individual best;
  };
  std::map<std::uint32_t, Niche> niches_;
  std::vector<std::uint32_t> traits_; // their keys
};

} // namespace dragnet::provoke
