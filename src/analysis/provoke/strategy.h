// Ways to look for chromosomes on which the new version is slower. A strategy is pure: it says
// which chromosomes to evaluate next and is told what came out; whoever drives it runs programs. A
// chromosome that is asked for again is to be measured again.
#pragma once

#include "analysis/provoke/chromosome.h"

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace dragnet::provoke {

class Strategy {
public:
  virtual ~Strategy() = default;

  /// The next generation's chromosomes, which can be evaluated in any order or at once; none when
  /// the strategy has ended.
  virtual std::vector<Chromosome> next() = 0;

  /// Takes in what came of the first of them, in the same order; of those that are missing, the
  /// evaluations were not made.
  virtual void observe(std::span<const Evaluation> evaluations) = 0;

  /// Those that are kept, the fittest first.
  virtual const std::vector<Individual>& population() const = 0;
};

/// Whether evaluations of one chromosome repeat.
enum class Noise : std::uint8_t { Exact, Noisy };

/// The strategy of this name, "published", "guided" or "random", with its usual parameters; null
/// for any other name.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const Pool& pool, Noise noise,
                                        std::uint64_t seed);

/// A chromosome of random genes.
Chromosome random_chromosome(const Pool& pool, std::mt19937_64& random);

/// So many chromosomes to begin with: the seeds, repeated or cut to the length, then random ones.
std::vector<Chromosome> first_chromosomes(const Pool& pool, std::size_t count,
                                          std::mt19937_64& random);

/// A number below a limit, which is above 0.
inline std::size_t below(std::size_t limit, std::mt19937_64& random) {
  return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

/// Whether something happens that has this probability.
inline bool happens(double probability, std::mt19937_64& random) {
  return std::bernoulli_distribution(probability)(random);
}

} // namespace dragnet::provoke
