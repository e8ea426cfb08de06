// Executes written functions and counts what a profile would: the truth that estimates are held
// against. Loops repeat as often as the collection that they walk is large.
#pragma once

#include "model/source.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::rank {

class Simulation {
public:
  /// Sizes by collection; loops that walk none repeat `otherwise` times. Branches take each part
  /// equally often, but for those whose first part is given a probability, by function.
  Simulation(const SourceFacts& facts, std::vector<double> sizes, double otherwise = 3)
      : sizes_(std::move(sizes)), otherwise_(otherwise) {
    for (const SourceFunction& function : facts.functions)
      functions_[function.name] = &function;
  }

  void take_first(const std::string& function, double probability) {
    first_[function] = probability;
  }

  SourceProfile run(std::string test, const std::string& root) {
    counts_.clear();
    edges_.clear();
    execute(root, 1);
    SourceProfile profile;
    profile.test = std::move(test);
    profile.root = root;
    for (auto& [name, counts] : counts_) {
      profile.cost += counts.own;
      profile.functions.push_back(counts);
    }
    for (const auto& [edge, calls] : edges_)
      profile.edges.push_back({.caller = edge.first, .callee = edge.second, .calls = calls});
    return profile;
  }

private:
  void execute(const std::string& name, double times) {
    const auto found = functions_.find(name);
    if (found == functions_.end() || times <= 0)
      return;
    SourceCounts& counts = counts_[name];
    counts.function = name;
    counts.calls += times;
    std::size_t number = 0;
    visit(*found->second, found->second->body, number, times);
  }

  void visit(const SourceFunction& function, const SourceBlock& block, std::size_t& number,
             double times) {
    SourceCounts& counts = counts_[function.name];
    if (counts.blocks.size() <= number)
      counts.blocks.resize(number + 1, 0.0);
    counts.blocks[number++] += times;
    counts.own += times * block.weight;
    if (block.kind == BlockKind::Call)
      for (const std::string& target : function.calls[block.subject].targets) {
        const double calls =
            times / static_cast<double>(function.calls[block.subject].targets.size());
        edges_[{function.name, target}] += calls;
        execute(target, calls);
      }
    for (std::size_t i = 0; i < block.parts.size(); ++i)
      visit(function, block.parts[i], number, times * share(function, block, i));
  }

  double share(const SourceFunction& function, const SourceBlock& block, std::size_t part) const {
    if (block.kind == BlockKind::Loop) {
      const auto& walks = function.loops[block.subject].walks;
      return walks.empty() ? otherwise_ : sizes_[walks.front()];
    }
    if (block.kind != BlockKind::Branch)
      return 1;
    if (const auto found = first_.find(function.name);
        found != first_.end() && block.parts.size() == 2)
      return part == 0 ? found->second : 1 - found->second;
    return 1 / static_cast<double>(block.parts.size());
  }

  std::map<std::string, const SourceFunction*> functions_;
  std::vector<double> sizes_;
  double otherwise_;
  std::map<std::string, double> first_;
  std::map<std::string, SourceCounts> counts_;
  std::map<std::pair<std::string, std::string>, double> edges_;
};

} // namespace dragnet::rank
