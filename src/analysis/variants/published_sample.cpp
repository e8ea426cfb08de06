#include "analysis/variants/published_sample.h"

#include "analysis/variants/likelihood.h"
#include "analysis/variants/published.h"
#include "analysis/variants/sampling.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"
#include "stats/lasso.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

std::size_t part(std::size_t whole, double share) {
  return static_cast<std::size_t>(static_cast<double>(whole) * share);
}

// The middle of the largest stretch that was not measured; nothing where all was.
std::optional<std::size_t> farthest(const Sampled& sampled) {
  std::optional<std::size_t> middle;
  std::size_t widest = 1;
  for (auto at = sampled.readings.begin(); at != sampled.readings.end(); ++at) {
    const auto next = std::next(at);
    if (next == sampled.readings.end() || next->first - at->first <= widest)
      continue;
    widest = next->first - at->first;
    middle = at->first + (widest / 2);
  }
  return middle;
}

// A commit that may have changed but is not sure: its likelihood is above the mean by less than one
// deviation.
std::optional<std::size_t> unsure(const Sampled& sampled, Random& random) {
  const ChangeLikelihood& likelihood = sampled.likelihood;
  std::vector<std::size_t> open;
  for (const Stretch& stretch : likelihood.stretches())
    if (stretch.density > likelihood.mean() &&
        stretch.density < likelihood.mean() + likelihood.deviation())
      for (std::size_t commit = stretch.after + 1; commit < stretch.until; ++commit)
        open.push_back(commit);
  if (open.empty())
    return std::nullopt;
  return open[below(random, open.size())];
}

} // namespace

PublishedSample::PublishedSample(VariantLab& lab, ValidConfigurations& space, std::size_t commits,
                                 const PublishedRule& rule, Random& random)
    : lab_(lab), space_(space), commits_(commits), rule_(rule), random_(random),
      for_commits_(rule.n_commits_to_configs), for_exploration_(rule.n_commits_explore),
      folds_(rule.folds, stats::FeatureSums(space.options())) {}

std::span<const double> PublishedSample::features(std::size_t number) const {
  return std::span(features_).subspan(number * space_.options(), space_.options());
}

Result<> PublishedSample::measure(Sampled& sampled, std::size_t commit) {
  if (measurements_ >= rule_.m_max || sampled.readings.contains(commit))
    return success();
  const Cell cell = TRY(lab_.measure(sampled.configuration, commit));
  ++measurements_;
  if (cell.outcome == Cell::Outcome::Measured)
    sampled.readings.emplace(commit, cell.value);
  return success();
}

Result<> PublishedSample::add(const Configuration& configuration, std::size_t readings) {
  if (!known_.insert(configuration).second)
    return success();
  Sampled sampled{configuration, {}, ChangeLikelihood({}, commits_, rule_.tau)};
  TRY(measure(sampled, 0));
  TRY(measure(sampled, commits_ - 1));
  for (std::size_t i = 2; i < readings; ++i)
    TRY(measure(sampled, below(random_, commits_)));
  const std::size_t from = features_.size();
  for (std::size_t option = 0; option < space_.options(); ++option)
    features_.push_back(configuration.on(option) ? 1 : 0);
  folds_[sampled_.size() % folds_.size()].add(std::span(features_).subspan(from));
  stale_.insert(sampled_.size());
  sampled_.push_back(std::move(sampled));
  return success();
}

std::vector<Configuration> PublishedSample::draw(std::size_t count) {
  return rule_.draw == Draw::Uniform ? uniform(space_, count, random_)
                                     : distance_based(space_, count, random_);
}

void PublishedSample::refresh() {
  for (const std::size_t number : stale_) {
    std::vector<Reading> readings;
    for (const auto& [commit, value] : sampled_[number].readings)
      readings.push_back({commit, value});
    sampled_[number].likelihood = ChangeLikelihood(readings, commits_, rule_.tau);
  }
  stale_.clear();
}

Result<> PublishedSample::begin() {
  const std::size_t readings = std::max<std::size_t>(2, part(commits_, rule_.r_commits));
  for (const Configuration& configuration : draw(rule_.n_configurations))
    TRY(add(configuration, readings));
  refresh();
  return success();
}

Result<> PublishedSample::explore_commits(std::size_t budget) {
  for (std::size_t spent = 0; spent < budget && !sampled_.empty(); ++spent) {
    const std::size_t number = below(random_, sampled_.size());
    const auto commit = farthest(sampled_[number]);
    if (!commit)
      continue;
    stale_.insert(number);
    TRY(measure(sampled_[number], *commit));
  }
  return success();
}

Result<> PublishedSample::exploit_commits(std::size_t budget) {
  for (std::size_t spent = 0; spent < budget && !sampled_.empty(); ++spent) {
    const std::size_t number = below(random_, sampled_.size());
    const auto commit = unsure(sampled_[number], random_);
    if (!commit)
      continue;
    stale_.insert(number);
    TRY(measure(sampled_[number], *commit));
  }
  return success();
}

// Two configurations: one against too few options (those suspected stay on, half of the others are
// free), one against too many (half of those suspected are free, and the others are as drawn).
std::vector<Configuration> PublishedSample::around(const Suspected& suspected) {
  std::vector<Configuration> found;
  for (const bool too_few : {true, false}) {
    const std::vector<Configuration> drawn = draw(1);
    if (drawn.empty())
      return found;
    Configuration wanted = drawn.front();
    for (std::size_t option = 0; too_few && option < space_.options(); ++option)
      wanted.set(option, wanted.on(option) && unit(random_) < 0.5);
    std::vector<Literal> fixed;
    for (const std::size_t option : suspected.options)
      if (too_few || unit(random_) < 0.5)
        fixed.push_back({option, true});
      else
        wanted.set(option, unit(random_) < 0.5);
    if (auto valid = space_.near(wanted, fixed))
      found.push_back(*std::move(valid));
  }
  return found;
}

Result<> PublishedSample::new_configurations(std::size_t budget,
                                             std::span<const Suspected> suspected) {
  std::vector<Configuration> wanted = draw(rule_.n_configurations_explore);
  for (const Suspected& one : suspected)
    for (Configuration& configuration : around(one))
      wanted.push_back(std::move(configuration));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    std::swap(wanted[i], wanted[i + below(random_, wanted.size() - i)]);
  wanted.resize(std::min(wanted.size(), std::max<std::size_t>(1, budget / 2)));
  for (const Configuration& configuration : wanted)
    TRY(add(configuration, std::max<std::size_t>(2, budget / wanted.size())));
  return success();
}

Result<> PublishedSample::grow(std::span<const Suspected> suspected) {
  const std::size_t commits = part(rule_.n_measurements, for_commits_);
  const std::size_t exploration = part(commits, for_exploration_);
  TRY(explore_commits(exploration));
  TRY(exploit_commits(commits - exploration));
  TRY(new_configurations(rule_.n_measurements - commits, suspected));
  for_commits_ *= rule_.commits_to_configs_factor;
  for_exploration_ *= rule_.commits_explore_factor;
  refresh();
  return success();
}

} // namespace dragnet::variants
