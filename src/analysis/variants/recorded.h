// A laboratory that only looks up what somebody measured before; only the configurations that were
// measured are valid.
#pragma once

#include "base/result.h"
#include "model/configuration.h"
#include "model/recorded_variants.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::variants {

class RecordedLab final : public VariantLab, public ValidConfigurations {
public:
  /// Options of which never two are on, at least three, are alternatives: where at times none is
  /// on, that becomes one more option, so that it can be named.
  explicit RecordedLab(const RecordedVariants& recorded);

  /// The options of the table, and those that were added.
  const ConfigurationSpace& space() const { return space_; }
  std::size_t commits() const { return commits_; }
  std::size_t configurations() const { return rows_.size(); }
  /// All values of a configuration, by commit; the mean where there are several.
  const std::map<std::size_t, double>& values(const Configuration& configuration) const {
    return rows_.at(configuration);
  }
  /// The configurations that were measured.
  std::vector<Configuration> all() const;
  /// How many different values were looked up.
  std::size_t cells() const { return seen_.size(); }

  Result<Cell> measure(const Configuration& configuration, std::size_t commit) override;
  bool repeats() const override { return false; }
  std::size_t options() const override { return space_.options.size(); }
  bool valid(const Configuration& configuration) override { return rows_.contains(configuration); }
  std::optional<Configuration> near(const Configuration& wanted,
                                    std::span<const Literal> fixed) override;

private:
  void find_alternatives(const RecordedVariants& recorded);

  ConfigurationSpace space_;
  std::size_t commits_ = 0;
  std::map<Configuration, std::map<std::size_t, double>> rows_;
  std::set<std::pair<Configuration, std::size_t>> seen_;
};

} // namespace dragnet::variants
