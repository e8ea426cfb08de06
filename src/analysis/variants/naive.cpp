#include "analysis/variants/naive.h"

#include "analysis/variants/likelihood.h"
#include "analysis/variants/score.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

class NaiveSearch {
public:
  NaiveSearch(VariantLab& lab, ValidConfigurations& space, const ChangeThreshold& threshold)
      : lab_(lab), space_(space), threshold_(threshold) {}

  Result<NaiveAnswer> run(std::size_t commits) {
    const auto all = space_.near(Configuration(space_.options(), true), {});
    if (!all || commits < 2)
      return NaiveAnswer{};
    TRY(bisect(*all, 0, commits - 1));
    NaiveAnswer answer;
    for (const std::size_t commit : changes_)
      TRY(attribute(*all, commit, answer.associations));
    answer.measurements = cells_.size();
    return answer;
  }

private:
  Result<double> value(const Configuration& configuration, std::size_t commit) {
    const auto known = cells_.find({configuration, commit});
    if (known != cells_.end())
      return known->second;
    const Cell cell = TRY(lab_.measure(configuration, commit));
    // What does not build is as the one before it.
    const double result = cell.outcome == Cell::Outcome::Measured || commit == 0
                              ? cell.value
                              : TRY(value(configuration, commit - 1));
    cells_[{configuration, commit}] = result;
    return result;
  }
  Result<> bisect(const Configuration& configuration, std::size_t low, std::size_t high) {
    if (!threshold_.exceeded(TRY(value(configuration, low)), TRY(value(configuration, high))))
      return success();
    if (high - low == 1) {
      changes_.push_back(high);
      return success();
    }
    const std::size_t middle = low + ((high - low) / 2);
    TRY(bisect(configuration, low, middle));
    return bisect(configuration, middle, high);
  }
  Result<double> jump(const Configuration& configuration, std::size_t commit) {
    return TRY(value(configuration, commit)) - TRY(value(configuration, commit - 1));
  }
  // An option is involved if without it the step is another.
  Result<> attribute(const Configuration& all, std::size_t commit,
                     std::vector<Association>& associations) {
    const double whole = TRY(jump(all, commit));
    const double level = TRY(value(all, commit - 1));
    bool any = false;
    for (std::size_t option = 0; option < space_.options(); ++option) {
      const std::vector<Literal> off = {{option, false}};
      const auto without = all.on(option) ? space_.near(all, off) : std::nullopt;
      if (!without || !threshold_.exceeded(level + whole, level + TRY(jump(*without, commit))))
        continue;
      associations.push_back({commit, option});
      any = true;
    }
    if (!any)
      associations.push_back({commit, std::nullopt});
    return success();
  }

  VariantLab& lab_;
  ValidConfigurations& space_;
  ChangeThreshold threshold_;
  std::map<std::pair<Configuration, std::size_t>, double> cells_;
  std::vector<std::size_t> changes_;
};

} // namespace

Result<NaiveAnswer> learn_naively(VariantLab& lab, ValidConfigurations& space, std::size_t commits,
                                  const ChangeThreshold& threshold) {
  return NaiveSearch(lab, space, threshold).run(commits);
}

} // namespace dragnet::variants
