#include "analysis/explain/similarity.h"
#include "analysis/explain/stack_tree.h"
#include "analysis/explain/watched.h"
#include "base/ensure.h"
#include "model/check.h"
#include "model/stacks.h"
#include "report/explanation.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::report {
namespace {

StackProfile profile_of(const WatchedCommit& commit) {
  return explain::mean_profile(explain::telling_runs(commit));
}

std::set<std::string> metrics_of(const explain::Comparison& comparison, const StackProfile& before,
                                 const StackProfile& now) {
  if (!comparison.metrics.empty())
    return {comparison.metrics.begin(), comparison.metrics.end()};
  std::set<std::string> metrics;
  for (const StackProfile* profile : {&before, &now})
    for (const StackUse& use : profile->uses)
      metrics.insert(use.metric);
  return metrics;
}

} // namespace

std::vector<ExplainedTree> explained_trees(const explain::Comparison& comparison) {
  using explain::Quantity;
  ensure(!comparison.bases.empty(), "trees of both sides need a base");
  const StackProfile before = profile_of(comparison.bases.front());
  const StackProfile now = profile_of(comparison.candidate);
  std::vector<ExplainedTree> trees;
  for (const std::string& metric : metrics_of(comparison, before, now))
    for (const Quantity quantity : {Quantity::Amount, Quantity::Calls}) {
      CallNode root = explain::stack_tree(before, now, comparison.difference,
                                          {.metric = metric, .quantity = quantity});
      if (root.old_instructions > 0 || root.new_instructions > 0)
        trees.push_back({metric, quantity, std::move(root)});
    }
  return trees;
}

} // namespace dragnet::report
