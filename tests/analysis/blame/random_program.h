// Programs that exist only as calls and costs, in two versions: one change makes the new one
// slower, others are harmless.
#pragma once

#include "analysis/blame/call_tree.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"
#include "model/trace.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::blame {

/// In which way the culprit makes the new version slower.
enum class Planted : std::uint8_t {
  OwnCost,      ///< it does more itself
  MoreCalls,    ///< it calls something more often
  NewCall,      ///< it calls something that it did not call
  SlowerCallee, ///< what it hands down makes a callee that is as before do more
  SlowerCaller  ///< what it hands back makes a caller that is as before do more
};

class RandomProgram {
public:
  RandomProgram(std::uint64_t seed, Planted planted)
      : random_(seed), costs_(functions), calls_(functions) {
    for (std::uint32_t f = 0; f < functions; ++f)
      make_function(f);
    changed_ = chosen();
    old_ = {names(), expanded(), 1};
    while (!plant_visibly(planted) && culprit_ + 1 < changed_.size())
      ++culprit_;
    soften();
    new_ = {names(), expanded(), 1};
  }

  std::size_t culprit() const { return culprit_; }
  PairedTree tree() const { return paired(old_, new_); }

  ImpactSets impact() const {
    ImpactSets sets(functions, changed_);
    std::map<std::uint32_t, FunctionSpan> spans;
    std::uint64_t now = 0;
    walk(CallTree::root, callees(), spans, now);
    Execution execution;
    for (const auto& [function, span] : spans)
      execution.push_back(span);
    sets.add(execution);
    return sets;
  }

private:
  static constexpr std::uint32_t functions = 120;
  static constexpr std::size_t changes = 21;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::uint32_t any(std::uint32_t first, std::uint32_t end) {
    return std::uniform_int_distribution<std::uint32_t>(first, end - 1)(random_);
  }

  void make_function(std::uint32_t f) {
    costs_[f] = std::exp(uniform(0, 5));
    for (int i = 0; i < 3 && f + 1 < functions; ++i)
      calls_[f][any(f + 1, std::min(functions, f + 30))] = std::exp(uniform(-1, 1.5));
  }

  std::vector<std::uint32_t> chosen() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t f = 1; f < functions; ++f)
      all.push_back(f);
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(changes);
    return all;
  }

  static std::vector<FunctionId> names() {
    std::vector<FunctionId> ids;
    for (std::uint32_t f = 0; f < functions; ++f)
      ids.push_back({"program", "f" + std::to_string(f)});
    return ids;
  }

  CallTree expanded() {
    CallTree tree;
    expand(tree, CallTree::root, 0, 100000, 0);
    return tree;
  }

  void expand(CallTree& tree, std::uint32_t caller, std::uint32_t f, double calls, int depth) {
    if (calls < 100 || depth > 6)
      return;
    const std::uint32_t node = tree.callee(caller, f);
    const double noise = 1 + std::normal_distribution<double>(0, 0.01)(random_);
    tree.at(node).calls += static_cast<std::uint64_t>(calls);
    tree.at(node).cost += static_cast<std::uint64_t>(std::max(0.0, calls * costs_[f] * noise));
    for (const auto& [callee, rate] : calls_[f])
      expand(tree, node, callee, calls * rate, depth + 1);
  }

  static double total(const CallTree& tree) {
    double sum = 0;
    for (const auto& node : tree.nodes())
      sum += static_cast<double>(node.cost);
    return sum;
  }

  // Whether the change makes the program slower by a twentieth; if not, it is taken back.
  bool plant_visibly(Planted planted) {
    const auto costs = costs_;
    const auto calls = calls_;
    if (!calls_[changed_[culprit_]].empty())
      plant(planted, changed_[culprit_]);
    if (total(expanded()) >= 1.05 * total(old_.tree))
      return true;
    costs_ = costs;
    calls_ = calls;
    return false;
  }

  void plant(Planted planted, std::uint32_t f) {
    const std::uint32_t callee = calls_[f].begin()->first;
    if (planted == Planted::OwnCost)
      costs_[f] *= 3;
    else if (planted == Planted::MoreCalls)
      calls_[f][callee] *= 3;
    else if (planted == Planted::NewCall)
      calls_[f][any(f + 1, functions)] += 3;
    else if (planted == Planted::SlowerCallee)
      costs_[callee] *= 3;
    else
      for (std::uint32_t caller = 0; caller < f; ++caller)
        if (calls_[caller].contains(f))
          costs_[caller] *= 2;
  }

  // Harmless changes are not without any effect.
  void soften() {
    for (const auto f : changed_)
      costs_[f] *= uniform(0.98, 1.02);
  }

  using Callees = std::vector<std::vector<std::uint32_t>>; // by node

  Callees callees() const {
    const auto& nodes = new_.tree.nodes();
    Callees made(nodes.size());
    for (std::uint32_t i = 1; i < nodes.size(); ++i)
      made[nodes[i].parent].push_back(i);
    return made;
  }

  void walk(std::uint32_t node, const Callees& callees,
            std::map<std::uint32_t, FunctionSpan>& spans, std::uint64_t& now) const {
    const std::uint32_t function = new_.tree.nodes()[node].function;
    if (node != CallTree::root)
      spans.emplace(function, FunctionSpan{function, ++now, 0});
    for (const auto callee : callees[node])
      walk(callee, callees, spans, now);
    if (node != CallTree::root)
      spans.at(function).last = ++now;
  }

  std::mt19937_64 random_;
  std::vector<double> costs_;                          // of one call, by function
  std::vector<std::map<std::uint32_t, double>> calls_; // by function: how often it calls what
  std::vector<std::uint32_t> changed_;
  std::size_t culprit_ = 0;
  TracedSide old_;
  TracedSide new_;
};

} // namespace dragnet::blame
