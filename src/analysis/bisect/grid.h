// The unknown sizes of a search, on a grid: how large the step between the ends is, how large the
// noise, and how heavy its tails. Everything that is said of the culprit is summed over this grid,
// so that no single guess of a size makes the answer too sure of itself.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace dragnet::bisect {

/// What one round says, free of the machine's level in it: log values, one measurement each.
struct Contrast {
  double step = 0;            ///< bad end minus good end
  std::optional<double> rise; ///< the candidate minus the middle of both ends
};

/// Degrees of freedom of the noise that are thought possible: heavy tails, and next to none.
inline constexpr std::array<double, 2> tails = {3, 30};

/// A range of one unknown, covered evenly.
struct Range {
  double centre = 0;
  double half_width = 0;

  double at(std::size_t index, std::size_t count) const {
    return centre +
           (half_width * ((2.0 * static_cast<double>(index) / static_cast<double>(count - 1)) - 1));
  }
};

/// Where the grid lies for one weight of tails.
struct Area {
  Range step;
  Range log_noise;
};

/// The points are ordered by tails, then noise, then step.
class Grid {
public:
  static constexpr std::size_t steps = 33;
  static constexpr std::size_t noises = 9;
  static constexpr std::size_t block = steps * noises; ///< the points of one weight of tails
  static constexpr std::size_t points = block * tails.size();

  explicit Grid(const std::array<Area, tails.size()>& areas);

  double step(std::size_t point) const { return steps_[point]; }
  double log_noise(std::size_t point) const { return log_noises_[point]; }
  double log_prior(std::size_t point) const { return log_prior_[point]; }
  static double tail(std::size_t point) { return tails[point / block]; }

  /// The area around what these weights of the points favour, for a finer grid.
  std::array<Area, tails.size()> around(const std::vector<double>& weights) const;

private:
  std::vector<double> steps_;
  std::vector<double> log_noises_;
  std::vector<double> log_prior_; // flat in step and log noise: the size of a point's cell
};

/// An area that surely holds the sizes, from rounds that measured the ends; at least two of them.
std::array<Area, tails.size()> first_areas(const std::vector<Contrast>& rounds);

/// The log likelihood of rounds in which the candidate is at one level, over the grid.
class Likelihood {
public:
  /// The level is 0 for the good end's and 1 for the bad end's; without candidate it is absent.
  explicit Likelihood(std::optional<double> level);

  void add(const Grid& grid, const Contrast& round);
  /// At each point of the grid.
  std::vector<double> values(const Grid& grid) const;

private:
  void settle();

  std::optional<double> level_;
  std::size_t rounds_ = 0;
  std::vector<double> log_sums_; // of 1 + distance^2, of all rounds but those in products_
  std::vector<double> products_; // multiplied up, because a logarithm for each round is slow
  std::size_t pending_ = 0;
};

} // namespace dragnet::bisect
