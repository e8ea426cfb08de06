#include "analysis/blame/call_paths.h"

#include "analysis/blame/call_tree.h"
#include "analysis/blame/edited_code.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::blame {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

bool is_in_both(const PairedNode& node) {
  return node.calls[Old] > 0 && node.calls[New] > 0;
}

// The logarithmic mean of two positive numbers.
double log_mean(double a, double b) {
  const double ratio = std::log(b / a);
  return std::abs(ratio) < 1e-9 ? (a + b) / 2 : (b - a) / ratio;
}

class Decisions {
public:
  explicit Decisions(const PairedTree& tree)
      : tree_(tree), weights_(tree.nodes.size()), made_(tree.nodes.size()) {}

  std::vector<double> make() {
    for (std::size_t i = tree_.nodes.size(); i-- > 0;)
      decide(i);
    return std::move(made_);
  }

private:
  // Callees come first. The weight of a node is the sum of the logarithmic means in its subtree.
  void decide(std::size_t i) {
    const auto& node = tree_.nodes[i];
    const double difference = node.cost[New] - node.cost[Old];
    if (i == CallTree::root) {
      made_[i] += difference;
      return;
    }
    if (!is_in_both(node)) {
      made_[leaving_point(i)] += difference;
      return;
    }
    made_[i] += own_part(i, difference);
    const auto& caller = tree_.nodes[node.parent];
    const double rate = std::log(node.calls[New] / caller.calls[New]) -
                        std::log(node.calls[Old] / caller.calls[Old]);
    made_[node.parent] += rate * weights_[i];
    weights_[node.parent] += weights_[i];
  }

  double own_part(std::size_t i, double difference) {
    const auto& node = tree_.nodes[i];
    if (node.cost[Old] <= 0 || node.cost[New] <= 0)
      return difference;
    const double weight = log_mean(node.cost[Old], node.cost[New]);
    weights_[i] += weight;
    return weight * std::log(node.cost[New] / node.calls[New] / (node.cost[Old] / node.calls[Old]));
  }

  std::size_t leaving_point(std::size_t i) const {
    while (!is_in_both(tree_.nodes[i]))
      i = tree_.nodes[i].parent;
    return i;
  }

  const PairedTree& tree_;
  std::vector<double> weights_;
  std::vector<double> made_;
};

// Changes, and how much each counts.
using Weights = std::vector<std::pair<std::size_t, double>>;

// Finds the changes around a node of the tree, step by step.
class Neighbourhood {
public:
  Neighbourhood(const PairedTree& tree, const ImpactSets& impact)
      : tree_(tree), impact_(impact), change_of_(tree.functions.size(), none),
        seen_(tree.nodes.size()), first_(tree.nodes.size() + 1) {
    for (std::size_t change = 0; change < impact.changed().size(); ++change)
      change_of_[impact.changed()[change]] = static_cast<std::uint32_t>(change);
    for (std::size_t i = 1; i < tree.nodes.size(); ++i)
      ++first_[tree.nodes[i].parent + 1];
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
      first_[i + 1] += first_[i];
    callees_.resize(tree.nodes.size());
    auto next = first_;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i)
      callees_[next[tree.nodes[i].parent]++] = i;
  }

  std::uint32_t change_at(std::size_t node) const {
    return node == CallTree::root ? none : change_of_[tree_.nodes[node].function];
  }

  bool may_affect(std::size_t change, std::uint32_t function) const {
    return function < impact_.functions() && impact_.contains(change, function);
  }

  // The weights of the changes that can have affected a node: a third for each step of distance.
  Weights weights(std::uint32_t node) {
    found_.clear();
    edge_ = {node};
    seen_[node] = ++visit_;
    std::size_t looked_at = 0;
    double weight = 1;
    for (int steps = 0; steps < farthest && !edge_.empty() && looked_at < most_nodes; ++steps) {
      for (const std::uint32_t i : edge_)
        note(node, i, weight);
      looked_at += edge_.size();
      step_outwards();
      weight /= 3;
    }
    if (found_.empty())
      take_all(node);
    return found_;
  }

private:
  static constexpr int farthest = 16;
  static constexpr std::size_t most_nodes = 4096;

  void note(std::uint32_t node, std::uint32_t i, double weight) {
    const std::uint32_t change = change_at(i);
    if (change == none || !may_affect(change, tree_.nodes[node].function) ||
        std::ranges::any_of(found_, [&](const auto& known) { return known.first == change; }))
      return;
    found_.emplace_back(change, weight);
  }

  void step_outwards() {
    next_.clear();
    for (const std::uint32_t i : edge_) {
      visit(tree_.nodes[i].parent);
      for (std::size_t at = first_[i]; at < first_[i + 1]; ++at)
        visit(callees_[at]);
    }
    std::swap(edge_, next_);
  }

  void visit(std::uint32_t i) {
    if (seen_[i] == visit_)
      return;
    seen_[i] = visit_;
    next_.push_back(i);
  }

  void take_all(std::uint32_t node) {
    for (std::size_t change = 0; change < impact_.changed().size(); ++change)
      if (may_affect(change, tree_.nodes[node].function))
        found_.emplace_back(change, 1);
  }

  const PairedTree& tree_;
  const ImpactSets& impact_;
  std::vector<std::uint32_t> change_of_; // by function
  std::vector<std::uint32_t> seen_;      // by node: the last visit
  std::uint32_t visit_ = 0;
  std::vector<std::size_t> first_; // by node: where its callees begin
  std::vector<std::uint32_t> callees_;
  std::vector<std::uint32_t> edge_;
  std::vector<std::uint32_t> next_;
  Weights found_;
};

std::optional<EditedCode> edit_at(std::span<const std::optional<EditedCode>> edits,
                                  std::size_t change) {
  return change < edits.size() ? edits[change] : std::nullopt;
}

double per_call(const PairedNode& node, Version version) {
  return node.cost[version] / node.calls[version];
}

// How much each changed function behaves otherwise than before: what a call of it costs by itself,
// as a logarithm. A change that hardly shows in a function hardly makes others do otherwise.
std::vector<double> otherness(const PairedTree& tree, const ImpactSets& impact,
                              std::span<const std::optional<EditedCode>> edits) {
  constexpr double least = 0.02; // results may differ all the same
  std::vector<PairedNode> sums(tree.functions.size());
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    for (const auto version : {Old, New}) {
      sums[tree.nodes[i].function].cost[version] += tree.nodes[i].cost[version];
      sums[tree.nodes[i].function].calls[version] += tree.nodes[i].calls[version];
    }
  std::vector<double> others;
  others.reserve(impact.changed().size());
  for (std::size_t change = 0; change < impact.changed().size(); ++change) {
    const PairedNode& sum = sums[impact.changed()[change]];
    const bool known = is_in_both(sum) && sum.cost[Old] > 0 && sum.cost[New] > 0;
    if (const auto edit = edit_at(edits, change))
      others.push_back(least + edit->otherness());
    else if (known)
      others.push_back(least +
                       std::min(1.0, std::abs(std::log(per_call(sum, New) / per_call(sum, Old)))));
    else
      others.push_back(1);
  }
  return others;
}

class Division {
public:
  Division(const PairedTree& tree, const ImpactSets& impact,
           std::span<const std::optional<EditedCode>> edits)
      : near_(tree, impact), made_(decisions(tree)), otherness_(otherness(tree, impact, edits)),
        edits_(edits), shares_{.of_change = std::vector<double>(impact.changed().size()),
                               .credited = std::vector<double>(impact.changed().size())} {}

  PathShares divide() {
    auto open = take_own();
    // Of very many, only those that matter are worth the search.
    std::ranges::sort(open, [&](std::uint32_t a, std::uint32_t b) {
      return std::abs(made_[a]) > std::abs(made_[b]);
    });
    shares_.unexplained = made_[CallTree::root];
    for (std::size_t i = 0; i < open.size(); ++i)
      divide_nearby(open[i], i < most_searches);
    return std::move(shares_);
  }

private:
  static constexpr std::size_t most_searches = 2000;

  // Gives changed functions what they decide; returns the nodes where more is to be divided.
  std::vector<std::uint32_t> take_own() {
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 1; i < made_.size(); ++i) {
      if (const auto change = near_.change_at(i); change != none) {
        shares_.of_change[change] += made_[i];
        shares_.credited[change] += made_[i] * own_part(change);
      }
      if (made_[i] * foreign_part(i) != 0)
        open.push_back(i);
    }
    return open;
  }

  double own_part(std::uint32_t change) const {
    const auto edit = edit_at(edits_, change);
    return edit ? edit->own_part() : 1;
  }

  // The part of a node's decision that other changes may have made.
  double foreign_part(std::uint32_t node) const {
    const auto change = near_.change_at(node);
    return change == none ? 1 : 1 - own_part(change);
  }

  void divide_nearby(std::uint32_t node, bool searched) {
    auto weights = searched ? near_.weights(node) : Weights{};
    const auto change = near_.change_at(node);
    if (change == none && weights.empty())
      shares_.unexplained += made_[node];
    if (change == none)
      add(shares_.of_change, made_[node], weights);
    else
      weights.emplace_back(change, 1);
    for (auto& [other, weight] : weights)
      weight *= otherness_[other];
    add(shares_.credited, made_[node] * foreign_part(node), weights);
  }

  static void add(std::vector<double>& shares, double amount, const Weights& weights) {
    double sum = 0;
    for (const auto& [change, weight] : weights)
      sum += weight;
    for (const auto& [change, weight] : weights)
      shares[change] += amount * weight / sum;
  }

  Neighbourhood near_;
  std::vector<double> made_;
  std::vector<double> otherness_;                    // by change
  std::span<const std::optional<EditedCode>> edits_; // by change
  PathShares shares_;
};

} // namespace

std::vector<double> decisions(const PairedTree& tree) {
  return Decisions(tree).make();
}

PathShares path_shares(const PairedTree& tree, const ImpactSets& impact,
                       std::span<const std::optional<EditedCode>> edits) {
  return Division(tree, impact, edits).divide();
}

} // namespace dragnet::blame
