// Valid configurations by plain backtracking: quick for thousands of simulated systems, and a
// second opinion on the solver that the product uses.
#pragma once

#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::variants {

/// Tries to give each option the wanted value, in order, with unit propagation; then flips back
/// what can be had as wanted. The result is near, not always nearest.
class PlainSolver final : public ValidConfigurations {
public:
  explicit PlainSolver(const ConfigurationSpace& space);

  std::size_t options() const override { return options_; }
  std::optional<Configuration> near(const Configuration& wanted,
                                    std::span<const Literal> fixed) override;
  bool valid(const Configuration& configuration) override;

private:
  struct Trail;
  bool assign(Trail& trail, Literal literal) const;
  bool propagate(Trail& trail, std::size_t from) const;
  bool complete(Trail& trail, const Configuration& wanted) const;
  void improve(Configuration& found, const Configuration& wanted,
               std::span<const Literal> fixed) const;
  bool keeps_valid(const Configuration& configuration, std::size_t flipped) const;

  std::size_t options_;
  std::vector<Clause> clauses_;
  std::vector<std::vector<std::size_t>> clauses_of_; // by option
};

} // namespace dragnet::variants
