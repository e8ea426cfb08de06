// What a search over commits and configurations needs from outside: valid configurations, and
// measurements of them.
#pragma once

#include "base/result.h"
#include "model/configuration.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dragnet {

/// What came of measuring a configuration at a commit.
struct Cell {
  enum class Outcome : std::uint8_t {
    Measured,
    NotBuildable, ///< whatever the configuration
    Missing,      ///< nothing to be had of this configuration at this commit
    Invalid       ///< the program refuses this configuration at any commit
  };

  Outcome outcome = Outcome::Measured;
  double value = 0; ///< of the metric, if measured
};

/// Measures a configuration at a commit, which is a position in a history that begins with 0.
class VariantLab {
public:
  virtual ~VariantLab() = default;

  /// Measures once. That a commit does not build, or that the program refuses the configuration, is
  /// an outcome, not an Error.
  virtual Result<Cell> measure(const Configuration& configuration, std::size_t commit) = 0;

  /// Whether the time that was given is over; then nothing more is measured.
  virtual bool spent() const { return false; }

  /// Whether measuring the same again gives a new value; recorded data do not.
  virtual bool repeats() const = 0;
};

/// Finds valid configurations of a space.
class ValidConfigurations {
public:
  virtual ~ValidConfigurations() = default;

  /// How many options a configuration has.
  virtual std::size_t options() const = 0;

  /// A valid configuration near to the wanted one in which all the fixed literals hold; nothing
  /// where there is none.
  virtual std::optional<Configuration> near(const Configuration& wanted,
                                            std::span<const Literal> fixed) = 0;

  /// Whether a configuration obeys all constraints.
  virtual bool valid(const Configuration& configuration) = 0;
};

} // namespace dragnet
