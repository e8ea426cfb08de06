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
  /// The share of commits whose level says nothing: another step, a lucky layout of the program.
  explicit Evidence(double odd_share) : odd_share_(odd_share) {}

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
    std::array<Likelihood, 3> at{Likelihood(0.0), Likelihood(0.5), Likelihood(1.0)};
    bool stale = true;
    // Log likelihood if the commit is before the culprit, or not; mixed with the odd levels.
    std::array<std::vector<double>, 2> mixed;
    // Of the levels, their part in each mixture.
    std::array<std::array<std::vector<double>, 3>, 2> parts;
  };
  struct Kept {
    std::size_t commit = 0; // 0: the ends alone
    Contrast contrast;
  };
  struct Weights; // one for each stretch and point of the grid

  void place_grid();
  void count_in(const Kept& round);
  void mix(Levels& levels) const;
  Weights weights(const Prior& prior, std::size_t last_commit) const;
  static Look look(const Levels& levels, const std::array<std::vector<double>, 2>& weights);
  void describe_step(const std::vector<double>& totals, double confidence, Beliefs& beliefs) const;

  double odd_share_;
  std::vector<Kept> kept_;
  std::vector<double> steps_;
  std::unique_ptr<Grid> grid_; // absent until it is needed
  std::size_t placed_at_ = 0;  // rounds when the grid was placed
  std::vector<double> favoured_; // weights of the grid's points, when last weighed
  Likelihood ends_{std::nullopt};
  std::map<std::size_t, Levels> levels_;
};

} // namespace dragnet::bisect
