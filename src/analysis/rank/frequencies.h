// How often a function calls another each time it runs, by its structure.
#pragma once

#include "analysis/structure/blocks.h"
#include "model/source.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::rank {

/// Calls of each callee for one execution of the caller.
using Frequencies = std::map<structure::FunctionNumber, double>;

/// What the structure of a function leaves open. A call with several targets is divided evenly.
struct Openings {
  std::span<const double> loops; ///< average iterations, by the loop's number
  std::span<const std::vector<structure::FunctionNumber>> targets; ///< by the call's number
};

/// Formulas 1 to 3 of Mostafa, Wang and Xie (2017): a sequence adds, a branch takes the larger for
/// each callee, a loop multiplies by its count.
Frequencies published_frequencies(const SourceBlock& block, const Openings& openings);

/// Ours: how often each block is reached for one execution of the function.
struct Reached {
  std::vector<double> blocks; ///< by the number of the block
  double exits = 0;           ///< the probability that it ends by a return or throw
};

/// How likely a part is that came to a choice whose other parts are all still there: what was done
/// so far is mostly still done.
inline constexpr double new_part_probability = 0.01;

/// What is known about the way through a function.
struct Ways {
  std::span<const double> loops;
  /// For parts of branches: how likely it is that the branch takes them; nothing: not known.
  std::span<const std::optional<double>> probabilities;
};

/// A branch takes its parts by their probabilities, where they are not known evenly but for parts
/// that leave the function, which are rare; what follows an exit is reached so much less.
Reached reached(const std::vector<structure::PlacedBlock>& blocks, const Ways& ways);

/// What a call costs of what its callee costs on average: by call, and by its targets.
using Shares = std::vector<std::vector<double>>;

/// The calls of each callee and the operations for one execution, when blocks are reached so often.
/// A call counts by its share, where shares are given.
struct Work {
  Frequencies calls;
  double operations = 0;
};
Work work_of(const std::vector<structure::PlacedBlock>& blocks, const Reached& reached,
             std::span<const std::vector<structure::FunctionNumber>> targets,
             const Shares& shares = {});

} // namespace dragnet::rank
