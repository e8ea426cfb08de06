// Test cases as sequences of inputs, and what came out when both versions ran on one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::provoke {

/// An input, by its number in the pool.
using Gene = std::uint32_t;

/// A sequence of inputs.
using Chromosome = std::vector<Gene>;

enum class Ending : std::uint8_t {
  Compared, ///< both versions ran to their end
  Rejected, ///< a version did not accept the inputs
  Crashed,
  Hung
};

enum class Version : std::uint8_t { Old, New, Both };

/// One run of both versions on the same chromosome.
struct Evaluation {
  Ending ending = Ending::Compared;
  Version version = Version::Both; ///< whose ending it was, if not Compared
  double fitness = 0;              ///< the cost of the new version minus that of the old one
  double base = 0;                 ///< the cost of the old version
  /// What was executed, as numbers that tell inputs apart; may be left empty.
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<std::uint32_t> traits = {};
};

/// What is known of a chromosome after some evaluations.
struct Score {
  std::size_t runs = 0;
  double mean = 0;    ///< of the fitness
  double squares = 0; ///< sum of squared distances from the mean

  void add(double fitness) {
    ++runs;
    const double distance = fitness - mean;
    mean += distance / static_cast<double>(runs);
    squares += distance * (fitness - mean);
  }
};

struct Individual {
  Chromosome chromosome;
  Score score;
};

/// What chromosomes are made of.
struct Pool {
  std::size_t genes = 0;   ///< at least one
  std::size_t length = 50; ///< of each chromosome, at least one
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<Chromosome> seeds = {}; ///< to begin with
};

} // namespace dragnet::provoke
