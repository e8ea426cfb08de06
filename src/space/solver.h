// Valid configurations of a space by the solver Z3, and which constraints clash where there are
// none.
#pragma once

#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace dragnet::space {

/// A space that has a valid configuration at least.
class Solver final : public ValidConfigurations {
public:
  /// Fails where there are no options, or no valid configuration: then it names a smallest set of
  /// constraints that contradict each other.
  static Result<std::unique_ptr<Solver>> make(const ConfigurationSpace& space);

  ~Solver() override;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  Solver(Solver&&) = delete;
  Solver& operator=(Solver&&) = delete;

  std::size_t options() const override;
  /// No option that differs from what is wanted could be as wanted without another that is having
  /// to differ.
  std::optional<Configuration> near(const Configuration& wanted,
                                    std::span<const Literal> fixed) override;
  bool valid(const Configuration& configuration) override;

private:
  struct Parts;
  explicit Solver(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

} // namespace dragnet::space
