#include "analysis/variants/published.h"

#include "analysis/variants/published_sample.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/score.h"
#include "base/result.h"
#include "model/variant_lab.h"
#include "stats/kernel_density.h"
#include "stats/lasso.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace dragnet::variants {
namespace {

// Bandwidths of the kernel, in commits: those of the authors' program, but fewer.
constexpr std::array<double, 13> bandwidths = {0.1,  0.147, 0.215, 0.316, 0.464, 0.681, 1,
                                               1.47, 2.15,  3.16,  4.64,  6.81,  10};
constexpr std::size_t density_folds = 5;

// Section 3.3.1: the peaks of all configurations, clustered by the maxima of their density.
std::vector<std::size_t> candidate_commits(const PublishedSample& sample, std::size_t commits,
                                           const PublishedRule& rule) {
  std::vector<std::size_t> peaks;
  for (const Sampled& sampled : sample.sampled())
    std::ranges::copy(sampled.likelihood.peaks(rule.n_cpl), std::back_inserter(peaks));
  if (peaks.empty())
    return {};
  const double bandwidth = stats::bandwidth_by_folds(peaks, commits, bandwidths, density_folds);
  std::vector<double> counts(commits, 0);
  for (const std::size_t peak : peaks)
    ++counts[peak];
  const std::vector<double> density = stats::exponential_density(counts, bandwidth);
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < commits; ++i)
    if (counts[i] > 0 && (i == 0 || density[i] > density[i - 1]) &&
        (i + 1 == commits || density[i] > density[i + 1]))
      candidates.push_back(i);
  return candidates;
}

// Section 3.3.2: options whose influence on the likelihood at a commit stands out.
Suspected suspect(const PublishedSample& sample, std::size_t commit, const PublishedRule& rule) {
  const std::size_t options = sample.folds().front().x.size();
  std::vector<stats::ResponseSums> responses(rule.folds, stats::ResponseSums(options));
  for (std::size_t i = 0; i < sample.sampled().size(); ++i)
    responses[i % rule.folds].add(sample.features(i), sample.sampled()[i].likelihood.at(commit));
  stats::LassoRule lasso;
  lasso.sign = rule.only_positive ? stats::Sign::NotNegative : stats::Sign::Any;
  const stats::LinearModel model = stats::lasso_by_folds(sample.folds(), responses, lasso);
  Suspected found{.commit = commit, .options = {}};
  double total = rule.core ? std::abs(model.intercept) : 0;
  for (const double coefficient : model.coefficients)
    total += std::abs(coefficient);
  if (total <= 0)
    return found;
  const double even = 1 / static_cast<double>(options);
  double squares = 0;
  for (const double coefficient : model.coefficients)
    squares += std::pow((std::abs(coefficient) / total) - even, 2);
  const double limit = even + (rule.n_influence * std::sqrt(squares * even));
  for (std::size_t option = 0; option < options; ++option)
    if (std::abs(model.coefficients[option]) / total > limit)
      found.options.push_back(option);
  found.core = rule.core && std::abs(model.intercept) / total > limit;
  return found;
}

// Section 3.5. The weights are decreased before they are increased, as the authors' program does:
// in the order of the paper no weight could ever exceed 0.43, and learning would never end.
class SolutionCache {
public:
  explicit SolutionCache(const PublishedRule& rule) : rule_(rule) {}

  void update(std::span<const Suspected> candidates) {
    std::set<Association> found;
    for (const Suspected& candidate : candidates) {
      for (const std::size_t option : candidate.options)
        found.insert(known({candidate.commit, option}));
      if (candidate.core)
        found.insert(known({candidate.commit, std::nullopt}));
    }
    for (auto& [association, weight] : weights_)
      weight *= rule_.e_decrease;
    for (const Association& association : found)
      weights_[association] += rule_.w_increase;
    const double drop = std::pow(rule_.e_decrease, static_cast<double>(rule_.k));
    const std::size_t dropped =
        std::erase_if(weights_, [&](const auto& entry) { return entry.second < drop; });
    calm_ = dropped == 0 ? calm_ + 1 : 0;
  }
  bool stable() const {
    return calm_ >= rule_.k && !weights_.empty() &&
           std::ranges::all_of(weights_, [](const auto& entry) { return entry.second > 1; });
  }
  std::vector<Association> associations() const {
    std::vector<Association> all;
    all.reserve(weights_.size());
    for (const auto& [association, weight] : weights_)
      all.push_back(association);
    return all;
  }

private:
  // The association that is kept for the same option near this commit, or itself.
  Association known(const Association& association) const {
    for (const auto& [kept, weight] : weights_)
      if (kept.option == association.option &&
          kept.commit + rule_.tolerance >= association.commit &&
          association.commit + rule_.tolerance >= kept.commit)
        return kept;
    return association;
  }

  PublishedRule rule_;
  std::map<Association, double> weights_;
  std::size_t calm_ = 0;
};

} // namespace

PublishedRule as_programmed() {
  PublishedRule rule;
  rule.n_cpl = 5;
  rule.folds = 5;
  rule.core = false;
  rule.only_positive = true;
  return rule;
}

Result<PublishedAnswer> learn_published(VariantLab& lab, ValidConfigurations& space,
                                        std::size_t commits, const PublishedRule& rule,
                                        Random& random) {
  PublishedSample sample(lab, space, commits, rule, random);
  SolutionCache cache(rule);
  TRY(sample.begin());
  PublishedAnswer answer;
  while (answer.iterations < rule.i_max && !answer.terminated &&
         sample.measurements() < rule.m_max) {
    ++answer.iterations;
    std::vector<Suspected> suspected;
    for (const std::size_t commit : candidate_commits(sample, commits, rule))
      suspected.push_back(suspect(sample, commit, rule));
    cache.update(suspected);
    answer.terminated = cache.stable();
    if (!answer.terminated)
      TRY(sample.grow(suspected));
  }
  answer.associations = cache.associations();
  answer.measurements = sample.measurements();
  return answer;
}

} // namespace dragnet::variants
