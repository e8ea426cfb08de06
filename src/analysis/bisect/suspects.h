// The commits of a search: what is known of each before measuring, which of them cannot be built,
// and who is suspected after the rounds. Positions count from 0, the good end; a culprit is at 1 or
// later; the last position is the bad end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::bisect {

/// Commits of which no measurement can tell which one it is, because those between do not build.
struct Group {
  std::size_t first = 0; ///< position
  std::size_t last = 0;  ///< position; the only one of the group that builds
  double probability = 0;

  std::size_t size() const { return last - first + 1; }
  bool holds(std::size_t position) const { return position >= first && position <= last; }
};

class Suspects {
public:
  /// The prior's weights of positions 1 and on; not negative, not all 0, at least one.
  explicit Suspects(std::span<const double> weights);

  std::size_t last() const { return prior_.size() - 1; }
  /// The prior probability of a culprit in (after, until].
  double prior(std::size_t after, std::size_t until) const { return sums_[until] - sums_[after]; }

  void cannot_build(std::size_t position) { unbuildable_[position] = 1; }
  bool builds(std::size_t position) const { return unbuildable_[position] == 0; }
  std::size_t unbuildable() const;

  /// A guess how probable it is that a commit builds: commits beside a broken one often do not.
  std::vector<double> building_chances() const;

  /// Probability of each position, given those of the stretches between the measured ones.
  std::vector<double> spread(std::span<const std::size_t> measured,
                             std::span<const double> stretches) const;

  /// All groups, most probable first.
  std::vector<Group> groups(std::span<const double> probabilities) const;

private:
  std::vector<double> prior_; // sums to 1; that of position 0 is 0
  std::vector<double> sums_;  // of the prior up to a position
  std::vector<std::uint8_t> unbuildable_;
};

} // namespace dragnet::bisect
