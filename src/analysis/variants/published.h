// The published learner of change points that depend on configurations: Mühlbauer, Apel and
// Siegmund, "Identifying Software Performance Changes Across Variants and Versions", ASE 2020.
// Section 3 of the paper is followed by name; where it cannot be (see docs/analyses/variants.md),
// the authors' program decides.
#pragma once

#include "analysis/variants/likelihood.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/score.h"
#include "base/result.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dragnet::variants {

/// How configurations are drawn for exploration.
enum class Draw : std::uint8_t { DistanceBased, Uniform };

/// All parameters of the paper, with its defaults.
struct PublishedRule {
  ChangeThreshold tau;                       ///< of a performance change
  std::size_t n_configurations = 40;         ///< in the initial sample
  double r_commits = 0.03;                   ///< share of commits measured for each of them
  double n_cpl = 3;                          ///< deviations of a peak above the mean
  double n_influence = 1;                    ///< deviations of an option's influence
  std::size_t folds = 3;                     ///< of the cross-validation of lambda
  bool core = true;                          ///< whether an intercept means all configurations
  bool only_positive = false;                ///< influences
  std::size_t n_measurements = 200;          ///< in an iteration
  double n_commits_to_configs = 0.5;         ///< share of these for commits
  double commits_to_configs_factor = 0.95;   ///< of that share, from iteration to iteration
  double n_commits_explore = 0.5;            ///< share of commits for exploration
  double commits_explore_factor = 0.9;       ///< of that share
  std::size_t n_configurations_explore = 75; ///< new configurations in an iteration
  double w_increase = 1;                     ///< of an association that is found again
  double e_decrease = 0.3;                   ///< factor of all weights in each iteration
  std::size_t k = 3;                         ///< iterations until it is dropped, or all is stable
  std::size_t i_max = 30;                    ///< iterations
  std::size_t m_max = std::numeric_limits<std::size_t>::max(); ///< measurements
  std::size_t tolerance = 5; ///< commits within which an association is the same
  Draw draw = Draw::DistanceBased;
};

/// The parameters that the authors' program has, where they differ.
PublishedRule as_programmed();

struct PublishedAnswer {
  std::vector<Association> associations; ///< those in the solution cache
  bool terminated = false;               ///< by its own criterion
  std::size_t iterations = 0;
  std::size_t measurements = 0;
};

/// Learns until the solution is stable or a limit is reached; fails where the laboratory does.
Result<PublishedAnswer> learn_published(VariantLab& lab, ValidConfigurations& space,
                                        std::size_t commits, const PublishedRule& rule,
                                        Random& random);

} // namespace dragnet::variants
