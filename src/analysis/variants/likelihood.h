// Where one configuration may have changed: the change point likelihood of Mühlbauer et al. (2020,
// section 3.2). It is constant between two measured commits, so that it is kept by stretches and
// costs no more in a longer history.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::variants {

/// One value of a configuration.
struct Reading {
  std::size_t commit = 0;
  double value = 0;
};

/// From which difference on two values are not the same.
struct ChangeThreshold {
  double relative = 0.01; ///< of the smaller of both in magnitude
  double absolute = 0;    ///< whichever of the two is larger counts

  bool exceeded(double one, double other) const;
};

/// The commits after one measured commit up to the next one.
struct Stretch {
  std::size_t after = 0;
  std::size_t until = 0;
  double density = 0; ///< for each of its commits
};

/// The likelihood of each commit to be the first after a change; its sum over all commits is 1, or
/// 0 if no pair differs.
class ChangeLikelihood {
public:
  /// The readings are sorted by commit, and no two are of the same.
  ChangeLikelihood(std::span<const Reading> readings, std::size_t commits,
                   const ChangeThreshold& threshold);

  double at(std::size_t commit) const;
  double mean() const { return mean_; }
  /// The standard deviation over all commits.
  double deviation() const { return deviation_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  /// The middles of the highest stretches, as far as they are above the mean by so many deviations.
  std::vector<std::size_t> peaks(double deviations) const;

private:
  std::vector<Stretch> stretches_;
  double mean_ = 0;
  double deviation_ = 0;
};

} // namespace dragnet::variants
