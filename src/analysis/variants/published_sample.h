// What the published learner has measured, and how it chooses more (section 3.4 of the paper).
#pragma once

#include "analysis/variants/likelihood.h"
#include "analysis/variants/published.h"
#include "analysis/variants/sampling.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"
#include "stats/lasso.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace dragnet::variants {

/// Options that are thought to be involved in a change at a commit.
struct Suspected {
  std::size_t commit = 0;
  std::vector<std::size_t> options;
  bool core = false;
};

/// One configuration with its readings.
struct Sampled {
  Configuration configuration;
  std::map<std::size_t, double> readings; ///< by commit
  ChangeLikelihood likelihood;
};

/// The sample set; grows by iterations.
class PublishedSample {
public:
  PublishedSample(VariantLab& lab, ValidConfigurations& space, std::size_t commits,
                  const PublishedRule& rule, Random& random);

  /// Measures the initial sample.
  Result<> begin();
  /// Spends one iteration's budget, guided by what is suspected.
  Result<> grow(std::span<const Suspected> suspected);

  const std::vector<Sampled>& sampled() const { return sampled_; }
  /// Sums over the configurations of each fold, by their options.
  const std::vector<stats::FeatureSums>& folds() const { return folds_; }
  /// The options of a configuration as numbers.
  std::span<const double> features(std::size_t number) const;
  std::size_t measurements() const { return measurements_; }

private:
  Result<> measure(Sampled& sampled, std::size_t commit);
  Result<> add(const Configuration& configuration, std::size_t readings);
  Result<> explore_commits(std::size_t budget);
  Result<> exploit_commits(std::size_t budget);
  Result<> new_configurations(std::size_t budget, std::span<const Suspected> suspected);
  std::vector<Configuration> draw(std::size_t count);
  std::vector<Configuration> around(const Suspected& suspected);
  void refresh();

  VariantLab& lab_;
  ValidConfigurations& space_;
  std::size_t commits_;
  PublishedRule rule_;
  Random& random_;
  double for_commits_;
  double for_exploration_;
  std::vector<Sampled> sampled_;
  std::set<Configuration> known_;
  std::set<std::size_t> stale_; // whose likelihood is older than their readings
  std::vector<double> features_;
  std::vector<stats::FeatureSums> folds_;
  std::size_t measurements_ = 0;
};

} // namespace dragnet::variants
