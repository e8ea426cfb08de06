// Everything that the learner has measured, by configuration and commit.
#pragma once

#include "analysis/variants/answer.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace dragnet::variants {

/// The values of one configuration at one commit.
struct CellSums {
  double count = 0;
  double sum = 0;
  double squares = 0; ///< of distances from the mean

  double mean() const { return sum / count; }
  void add(double value);
};

using Cells = std::map<std::size_t, CellSums>; ///< by commit

/// Measures and remembers. Configurations are numbered in the order in which they are first named.
class Notebook {
public:
  Notebook(VariantLab& lab, std::size_t commits, std::size_t budget)
      : lab_(lab), commits_(commits), budget_(budget) {}

  /// The number of a configuration.
  std::size_t number_of(const Configuration& configuration);

  /// Its number if it was named before.
  std::optional<std::size_t> find(const Configuration& configuration) const;

  /// Measures once more. False where nothing comes of it: the budget is spent, the commit does not
  /// build, the program refuses the configuration, or the value is known and does not change.
  Result<bool> measure(std::size_t number, std::size_t commit);

  const Configuration& configuration(std::size_t number) const { return rows_[number].what; }
  const Cells& cells(std::size_t number) const { return rows_[number].cells; }
  std::size_t size() const { return rows_.size(); }
  std::size_t commits() const { return commits_; }
  bool repeats() const { return lab_.repeats(); }
  bool refused(std::size_t number) const { return rows_[number].refused; }
  std::size_t refusals() const { return refusals_; }
  bool spent() const { return measurements_ >= budget_ || lab_.spent(); }
  std::size_t left() const { return budget_ - measurements_; }
  std::size_t measurements() const { return measurements_; }
  std::size_t measured_cells() const;
  /// The configurations of which there are values, in the order of their numbers.
  std::vector<MeasuredRow> measured() const;

  /// The commit nearest to the middle of (low, high) at which a configuration may be measured;
  /// nothing where there is none.
  std::optional<std::size_t> between(std::size_t number, std::size_t low, std::size_t high) const;

  /// The commits that do not build.
  const std::set<std::size_t>& broken() const { return broken_; }

  /// Whether it is known that nothing is to be had of a configuration at a commit.
  bool hopeless(std::size_t number, std::size_t commit) const {
    return broken_.contains(commit) || rows_[number].missing.contains(commit);
  }

  /// The mean size of a configuration's values; 0 where there are none.
  double level(std::size_t number) const;

private:
  struct Row {
    Configuration what;
    Cells cells;
    std::set<std::size_t> missing; // commits
    bool refused = false;
  };

  VariantLab& lab_;
  std::size_t commits_;
  std::size_t budget_;
  std::vector<Row> rows_;
  std::map<Configuration, std::size_t> numbers_;
  std::set<std::size_t> broken_; // commits that do not build
  std::size_t measurements_ = 0;
  std::size_t refusals_ = 0; // configurations
};

} // namespace dragnet::variants
