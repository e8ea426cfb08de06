// How chromosomes are made from others. All keep the length: what is put in pushes something out at
// the end, what is taken out is made up for by what follows in the other parent.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/gene_model.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace dragnet::provoke {

enum class Operator : std::uint8_t {
  TwoPoint,  ///< a stretch of one parent in the place of the other's
  Splice,    ///< a stretch of one parent, put in anywhere in the other
  Insert,    ///< a few genes put in
  Delete,    ///< a stretch taken out
  Duplicate, ///< a stretch repeated, perhaps often
  Move,      ///< a stretch put elsewhere
  Replace,   ///< a few genes replaced
  Draw       ///< all genes drawn from what was learned
};
constexpr std::size_t operator_count = 8;

struct Parents {
  const Chromosome& first;
  const Chromosome& second;
};

/// A new chromosome of two parents; genes that are put in are drawn from the model.
Chromosome apply(Operator what, const Parents& parents, const GeneModel& model,
                 std::mt19937_64& random);

/// Which operator to use: those that made fitter chromosomes of late more often, but none never.
class OperatorChoice {
public:
  OperatorChoice() { worth_.fill(0.5); }
  Operator choose(std::mt19937_64& random) const;
  void observe(Operator what, bool fitter_than_parents);

private:
  std::array<double, operator_count> worth_{};
};

} // namespace dragnet::provoke
