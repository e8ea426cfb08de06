// What the rounds say about where the step is. Commits lie between the measured ones in stretches:
// all culprits in a stretch explain the rounds equally well, so that there is one likelihood per
// stretch, however many commits there are.
#pragma once

#include "analysis/bisect/grid.h"
#include "stats/interval.h"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace dragnet::bisect {

/// Levels that a commit may have, from the good end's to the bad end's.
inline constexpr std::size_t level_count = 5;

/// How commits can be off the level that they should have, by themselves and however often they
/// run.
struct Strayness {
  double layout = 0.002; ///< standard deviation, as a share: where the code happens to lie
  double odd = 0.02;     ///< share of commits that are off by anything up to the whole step
};

/// How a measured commit looks, whatever its neighbours say.
struct Look {
  std::size_t commit = 0;
  double good = 0;    ///< probability that it is as fast as the good end
  double between = 0; ///< that it is neither
  double bad = 0;     ///< that it is as fast as the bad end
};

/// What is believed after all rounds so far.
struct Beliefs {
  std::vector<Look> looks;       ///< of the measured commits, in their order
  std::vector<double> stretches; ///< probability of a culprit in (a, b] for neighbours a, b of them
  double step = 0;               ///< expected, as a logarithm
  stats::Interval step_interval; ///< holds the step with the confidence asked for
  double separation = 0; ///< between both levels in one round, in units of the noise of a rise
};

/// The rounds of a search in their order, and the likelihoods that follow from them.
class Evidence {
public:
  explicit Evidence(const Strayness& strayness) : strayness_(strayness) {}

  /// A round of the ends alone; the contrast has no rise.
  void add(const Contrast& ends);
  /// A round of the ends and a commit between them; the contrast has a rise.
  void add(std::size_t commit, const Contrast& round);

  /// The steps of all rounds so far.
  const std::vector<double>& steps() const { return steps_; }
  std::size_t rounds() const { return steps_.size(); }

  /// Beliefs at this confidence; the prior tells how probable a culprit in (a, b] is beforehand. At
  /// least two rounds must be there.
  using Prior = std::function<double(std::size_t after, std::size_t until)>;
  Beliefs weigh(const Prior& prior, std::size_t last_commit, double confidence);

private:
  // The likelihoods of one commit's rounds, for each level that it may have.
  struct Levels {
    std::array<Likelihood, level_count> at{Likelihood(0.0), Likelihood(0.25), Likelihood(0.5),
                                           Likelihood(0.75), Likelihood(1.0)};
    bool stale = true;
    using Values = std::vector<double>; // over the grid
    // Log likelihood if the commit is before the culprit, or not; mixed with the odd levels.
    std::array<Values, 2> mixed{Values(Grid::points), Values(Grid::points)};
    // The parts of looking good, between and bad in each mixture.
    std::array<std::array<Values, 3>, 2> parts{mixed_parts(), mixed_parts()};

    static std::array<Values, 3> mixed_parts() {
      return {Values(Grid::points), Values(Grid::points), Values(Grid::points)};
    }
  };
  struct Kept {
    std::size_t commit = 0; // 0: the ends alone
    Contrast contrast;
  };
  struct Weights; // one for each stretch and point of the grid

  Beliefs weigh_once(const Prior& prior, std::size_t last_commit, double confidence);
  void place_grid();
  void count_in(const Kept& round);
  void mix(Levels& levels) const;
  Weights weights(const Prior& prior, std::size_t last_commit) const;
  std::vector<Look> looks(const Weights& weights) const;
  static Look look(const Levels& levels, const std::array<std::vector<double>, 2>& weights);
  void describe_step(const std::vector<double>& totals, double confidence, Beliefs& beliefs) const;

  Strayness strayness_;
  std::vector<Kept> kept_;
  std::vector<double> steps_;
  std::unique_ptr<Grid> grid_;                          // absent until it is needed
  std::vector<std::array<double, level_count>> shares_; // of levels away, at each point
  std::size_t placed_at_ = 0;                           // rounds when the grid was placed
  std::vector<double> favoured_; // weights of the grid's points, when last weighed
  Likelihood ends_{std::nullopt};
  std::map<std::size_t, Levels> levels_;
};

} // namespace dragnet::bisect
