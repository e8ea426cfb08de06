// One step in one configuration, pursued until its commit and its condition are known.
#pragma once

#include "analysis/variants/answer.h"
#include "analysis/variants/attribution.h"
#include "analysis/variants/notebook.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/segments.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::variants {

/// A change that was found, as far as it is known.
struct Found {
  std::size_t witness = 0; ///< number of the configuration in which it shows best
  std::size_t after = 0;   ///< commit
  std::size_t commit = 0;
  double size = 0;     ///< of the step in the witness
  double relative = 0; ///< the same as a part of the level before it
  double deviation = 0;
  double commit_probability = 1;
  std::vector<Hypothesis> hypotheses; ///< most probable first

  /// Whether its most probable condition holds.
  bool affects(const Configuration& configuration) const;
};

/// What a pursuit works with.
struct Tools {
  Notebook& notebook;
  ValidConfigurations& space;
  const LearnRule& rule;
  Random& random;
  Noise noise;
};

/// The levels of a configuration on both sides of a change.
struct Sides {
  Segment left;
  Segment right;

  double step() const { return right.mean - left.mean; }
};

/// In which direction a change lies away from the next commit, where values do not repeat.
enum class Away : std::uint8_t { Before, Behind };

class Pursuit {
public:
  /// The others are those that are known already.
  Pursuit(Tools& tools, std::span<const Found> others) : tools_(tools), others_(others) {}

  /// Repeats both sides until the step is evident; false where it turns out to be none.
  Result<bool> confirm(std::size_t number, std::size_t low, std::size_t high);

  /// Finds commit and condition of a step in a configuration, between two commits.
  Result<std::optional<Found>> pursue(std::size_t number, std::size_t low, std::size_t high);

  /// Tests the conditions of a change once more, as what was measured since has left them open.
  Result<> clarify(Found& found);

  /// Weighs the conditions of a change anew, with all that is measured; measures nothing.
  void weigh(Found& found) const;

  /// The conditions of a change as they are told. Where none is more probable than not, some
  /// configuration contradicts for a reason that nobody thought of: it counts for less.
  std::vector<Hypothesis> told(const Found& found) const;

  /// Takes a configuration for the witness of a change if it changes by a larger part there.
  void show_in(Found& found, std::size_t number) const;

  /// Takes the configuration for the witness in which the step is the largest part, and weighs the
  /// conditions by it: recorded configurations differ in ways that nobody declared.
  void show_best(Found& found) const;

  /// What a configuration shows on both sides; nothing where another change lies between.
  std::optional<Sides> sides(const Found& found, std::size_t number) const;

private:
  enum class Level : std::uint8_t { Unknown, Left, Right, Third };

  Result<bool> locate(Found& found);
  Result<bool> bisect(Found& found);
  Result<bool> step_over_stray(Found& found);
  bool move_behind(Found& found, double left) const;
  bool move_before(Found& found, double right) const;
  Result<> attribute(Found& found, bool roughly);
  Result<Level> decide(Found& found, std::size_t commit);
  std::size_t known_worst(const Found& found, const Sides& levels, std::size_t commit) const;
  Result<> enlarge(Found& found);
  Result<> look_lower(Found& found);
  void prefer(Found& found, const Configuration& configuration) const;
  Result<bool> test(const Found& found, const Configuration& configuration);
  Result<bool> again(std::size_t number, std::size_t commit, Away away);
  Result<bool> again_on_either(std::size_t number, const Sides& shown, const Found& step);
  bool is_apart(const Found& found, const Found& other) const;
  static bool is_alone(const Sides& shown, bool repeats);
  std::optional<Configuration> best_test(const Found& found, const Attribution& attribution);
  std::vector<Configuration> wishes(const Found& found, const Attribution& attribution);
  std::vector<Testimony> testimonies(const Found& found) const;
  std::optional<double> testimony(const Found& found, std::size_t number) const;
  double recorded_testimony(const Found& found, const Sides& shown, double variance) const;
  double between_cells(const Found& found, const Sides& shown) const;
  void refresh(Found& found) const;
  double strength(const Found& found) const;
  double expected_cost(const Found& found, const Configuration& configuration) const;
  bool decided(const Found& found, const Configuration& configuration) const;
  std::vector<Literal> apart_from_others(const Found& found) const;
  static bool same_commit(const Found& found, const Found& other);

  Tools& tools_;
  std::span<const Found> others_;
};

} // namespace dragnet::variants
