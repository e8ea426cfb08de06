#include "facts/unit_facts.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::facts {
namespace {

class Linker {
public:
  void take(const UnitFacts& unit) {
    std::vector<CollectionNumber> numbers;
    numbers.reserve(unit.facts.collections.size());
    for (const std::string& name : unit.facts.collections)
      numbers.push_back(number_of(name));
    for (const SourceFunction& function : unit.facts.functions)
      if (const auto [place, is_new] = functions_.try_emplace(function.name); is_new)
        place->second = renumbered(function, numbers);
    for (const SourceAlias& alias : unit.facts.aliases)
      aliases_.insert({.collection = numbers[alias.collection], .source = numbers[alias.source]});
    for (const Override& one : unit.overrides)
      overriders_[one.overridden].insert(one.method);
    for (const Taken& one : unit.taken)
      taken_[one.type].insert(one.function);
    warnings_.insert(unit.facts.warnings.begin(), unit.facts.warnings.end());
    unread_.insert(unit.facts.unread.begin(), unit.facts.unread.end());
  }

  SourceFacts run() {
    for (auto& [name, function] : functions_)
      for (SourceCall& call : function.calls) {
        const bool is_virtual = std::ranges::any_of(call.targets, [](const std::string& target) {
          return target.starts_with(virtual_prefix);
        });
        call.targets = resolved(call.targets);
        if (is_virtual)
          hand_over(call);
      }
    SourceFacts all;
    keep_what_loops_need(all);
    for (auto& [name, function] : functions_)
      all.functions.push_back(std::move(function));
    all.warnings.assign(warnings_.begin(), warnings_.end());
    all.unread.assign(unread_.begin(), unread_.end());
    return all;
  }

private:
  CollectionNumber number_of(const std::string& name) {
    const auto next = static_cast<CollectionNumber>(collections_.size());
    const auto [place, is_new] = numbers_.emplace(name, next);
    if (is_new)
      collections_.push_back(name);
    return place->second;
  }

  template <class Numbers>
  static void renumber(SourceFunction& function, const Numbers& numbers) {
    const auto change = [&](std::vector<CollectionNumber>& list) {
      for (CollectionNumber& one : list)
        one = numbers[one];
    };
    for (SourceLoop& loop : function.loops) {
      change(loop.walks);
      change(loop.fills);
      change(loop.empties);
    }
    change(function.fills);
    change(function.empties);
    for (SourceCall& call : function.calls)
      for (auto& argument : call.arguments)
        if (argument && argument->collection)
          argument->collection = numbers[*argument->collection];
  }

  static SourceFunction renumbered(SourceFunction function,
                                   const std::vector<CollectionNumber>& numbers) {
    renumber(function, numbers);
    return function;
  }

  std::vector<std::string> resolved(const std::vector<std::string>& targets) const {
    std::set<std::string> all;
    for (const std::string& target : targets)
      if (target.starts_with(virtual_prefix))
        add_overriders(target.substr(std::string_view(virtual_prefix).size()), all);
      else if (target.starts_with(pointer_prefix)) {
        const auto found = taken_.find(target.substr(std::string_view(pointer_prefix).size()));
        if (found != taken_.end())
          all.insert(found->second.begin(), found->second.end());
      } else
        all.insert(target);
    return {all.begin(), all.end()};
  }

  // A method that nobody has written, such as a pure one, is no target where others override it.
  void add_overriders(const std::string& method, std::set<std::string>& all) const {
    std::set<std::string> seen{method};
    std::vector<std::string> rest{method};
    while (!rest.empty()) {
      const std::string one = std::move(rest.back());
      rest.pop_back();
      if (functions_.contains(one))
        all.insert(one);
      if (const auto found = overriders_.find(one); found != overriders_.end())
        for (const std::string& next : found->second)
          if (seen.insert(next).second)
            rest.push_back(next);
    }
    if (all.empty())
      all.insert(method);
  }

  // What a virtual call hands over may be a parameter of each method that it reaches.
  void hand_over(const SourceCall& call) {
    for (const std::string& target : call.targets)
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const auto& argument = call.arguments[i];
        const auto parameter = numbers_.find(parameter_name(target, i));
        if (!argument || parameter == numbers_.end())
          continue;
        if (const auto& source = argument->collection; source && parameter->second != *source)
          aliases_.insert({.collection = parameter->second, .source = *source});
      }
  }

  // Collections of loops and of changes outside loops, and all that they may be.
  void keep_what_loops_need(SourceFacts& all) {
    std::vector<bool> needed(collections_.size(), false);
    std::vector<CollectionNumber> rest;
    const auto need = [&](const std::vector<CollectionNumber>& list) {
      for (const CollectionNumber one : list)
        if (!needed[one]) {
          needed[one] = true;
          rest.push_back(one);
        }
    };
    for (const auto& [name, function] : functions_) {
      for (const SourceLoop& loop : function.loops) {
        need(loop.walks);
        need(loop.fills);
        need(loop.empties);
      }
      need(function.fills);
      need(function.empties);
    }
    follow_aliases(rest, need);
    std::vector<CollectionNumber> numbers(collections_.size(), 0);
    for (std::size_t i = 0; i < collections_.size(); ++i)
      if (needed[i]) {
        numbers[i] = static_cast<CollectionNumber>(all.collections.size());
        all.collections.push_back(collections_[i]);
      }
    for (auto& [name, function] : functions_) {
      forget_arguments(function, needed);
      renumber(function, numbers);
    }
    for (const SourceAlias& alias : aliases_)
      if (needed[alias.collection])
        all.aliases.push_back(
            {.collection = numbers[alias.collection], .source = numbers[alias.source]});
  }

  static void forget_arguments(SourceFunction& function, const std::vector<bool>& needed) {
    for (SourceCall& call : function.calls)
      for (auto& argument : call.arguments)
        if (argument && argument->collection && !needed[*argument->collection])
          argument.reset();
  }

  template <class Need>
  void follow_aliases(std::vector<CollectionNumber>& rest, const Need& need) const {
    while (!rest.empty()) {
      const CollectionNumber one = rest.back();
      rest.pop_back();
      for (auto alias = aliases_.lower_bound({.collection = one, .source = 0});
           alias != aliases_.end() && alias->collection == one; ++alias)
        need({alias->source});
    }
  }

  std::map<std::string, SourceFunction> functions_;
  std::vector<std::string> collections_;
  std::unordered_map<std::string, CollectionNumber> numbers_;
  std::set<SourceAlias> aliases_;
  std::map<std::string, std::set<std::string>> overriders_;
  std::map<std::string, std::set<std::string>> taken_;
  std::set<std::string> warnings_;
  std::set<std::string> unread_;
};

} // namespace

SourceFacts linked(const std::vector<UnitFacts>& units) {
  Linker linker;
  for (const UnitFacts& unit : units)
    linker.take(unit);
  return linker.run();
}

} // namespace dragnet::facts
