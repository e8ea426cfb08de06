#include "analysis/structure/dependencies.h"

#include "analysis/structure/blocks.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::structure {
namespace {

// What a collection may be beyond this is left out: a parameter of a function that all call says
// nothing about any of its arguments.
constexpr std::size_t most_aliases = 64;

class Dependencies {
public:
  Dependencies(const SourceFacts& facts, CollectionNumbers& numbers)
      : facts_(facts), outside_(facts.functions.size()), seen_in_(facts.functions.size(), 0),
        sources_(facts.collections.size()) {
    for (std::size_t i = 0; i < facts.functions.size(); ++i)
      function_numbers_.emplace(facts.functions[i].name, i);
    for (const SourceAlias& alias : facts.aliases)
      sources_[alias.collection].push_back(alias.source);
    for (const std::string& name : facts.collections)
      common_.push_back(numbers.emplace(name, numbers.size()).first->second);
    for (const SourceFunction& function : facts.functions)
      by_loop_.push_back(callees_by_loop(function));
    for (std::size_t i = 0; i < outside_.size(); ++i)
      outside_[i] = std::move(by_loop_[i].back());
  }

  Correlation run() {
    Correlation result;
    for (std::size_t i = 0; i < facts_.functions.size(); ++i) {
      const auto& loops = facts_.functions[i].loops;
      for (std::size_t loop = 0; loop < loops.size(); ++loop) {
        result.walks.push_back(with_aliases(loops[loop].walks));
        result.names.push_back(numbered(loops[loop].walks));
        result.rates.push_back(loops[loop].rate);
        result.times.push_back(static_cast<double>(loops[loop].times));
        result.partial.push_back(loops[loop].partial);
        Changed changed = changed_in(loops[loop], by_loop_[i][loop]);
        result.fills.push_back(with_known_aliases(changed.fills));
        changed.fills.insert(changed.fills.end(), changed.empties.begin(), changed.empties.end());
        result.changes.push_back(with_aliases(changed.fills));
        result.known_changes.push_back(with_known_aliases(changed.fills));
      }
    }
    return result;
  }

private:
  using Callees = std::vector<std::size_t>;

  // By loop, and last those outside of loops.
  std::vector<Callees> callees_by_loop(const SourceFunction& function) const {
    std::vector<Callees> callees(function.loops.size() + 1);
    for (const PlacedBlock& placed : in_order(function.body)) {
      if (placed.block->kind != BlockKind::Call)
        continue;
      Callees& here = callees[std::min(placed.inner_loop, function.loops.size())];
      for (const std::string& target : function.calls[placed.block->subject].targets)
        if (const auto found = function_numbers_.find(target); found != function_numbers_.end())
          here.push_back(found->second);
    }
    return callees;
  }

  struct Changed {
    std::vector<CollectionNumber> fills;
    std::vector<CollectionNumber> empties;
  };

  Changed changed_in(const SourceLoop& loop, const Callees& callees) {
    Changed changed{.fills = loop.fills, .empties = loop.empties};
    ++search_;
    Callees rest = callees;
    while (!rest.empty()) {
      const std::size_t one = rest.back();
      rest.pop_back();
      if (std::exchange(seen_in_[one], search_) == search_)
        continue;
      const SourceFunction& callee = facts_.functions[one];
      changed.fills.insert(changed.fills.end(), callee.fills.begin(), callee.fills.end());
      changed.empties.insert(changed.empties.end(), callee.empties.begin(), callee.empties.end());
      rest.insert(rest.end(), outside_[one].begin(), outside_[one].end());
    }
    return changed;
  }

  std::vector<std::size_t> numbered(const std::vector<CollectionNumber>& collections) const {
    std::vector<std::size_t> result;
    result.reserve(collections.size());
    for (const CollectionNumber one : collections)
      result.push_back(common_[one]);
    return result;
  }

  std::vector<std::size_t> with_aliases(const std::vector<CollectionNumber>& collections) const {
    std::set<CollectionNumber> all(collections.begin(), collections.end());
    std::vector<CollectionNumber> rest(all.begin(), all.end());
    while (!rest.empty() && all.size() < most_aliases) {
      const CollectionNumber one = rest.back();
      rest.pop_back();
      for (const CollectionNumber source : sources_[one])
        if (all.insert(source).second)
          rest.push_back(source);
    }
    std::vector<std::size_t> result;
    result.reserve(all.size());
    for (const CollectionNumber one : all)
      result.push_back(common_[one]);
    return result;
  }

  // What may be too many things is told by its name alone.
  std::vector<std::size_t> with_known_aliases(const std::vector<CollectionNumber>& collections) {
    std::set<std::size_t> all;
    for (const CollectionNumber one : collections) {
      const auto [found, is_new] = known_aliases_.try_emplace(one);
      if (is_new) {
        found->second = with_aliases({one});
        if (found->second.size() > most_known_aliases + 1)
          found->second = {common_[one]};
      }
      all.insert(found->second.begin(), found->second.end());
    }
    return {all.begin(), all.end()};
  }

  const SourceFacts& facts_;
  std::unordered_map<CollectionNumber, std::vector<std::size_t>> known_aliases_;
  std::unordered_map<std::string, std::size_t> function_numbers_;
  std::vector<std::vector<Callees>> by_loop_; // of each function
  std::vector<Callees> outside_;              // of its loops
  std::vector<std::size_t> seen_in_;          // the last search that met a function
  std::size_t search_ = 0;
  std::vector<std::vector<CollectionNumber>> sources_;
  std::vector<std::size_t> common_;
};

} // namespace

Correlation dependencies(const SourceFacts& facts, CollectionNumbers& numbers) {
  Correlation result = Dependencies(facts, numbers).run();
  result.collections = numbers.size();
  return result;
}

std::vector<std::vector<std::size_t>> Correlation::known_walks() const {
  auto result = walks;
  for (std::size_t loop = 0; loop < names.size(); ++loop)
    if (walks[loop].size() > names[loop].size() + most_known_aliases)
      result[loop] = names[loop];
  return result;
}

} // namespace dragnet::structure
