#include "analysis/structure/program.h"

#include "analysis/structure/blocks.h"
#include "analysis/structure/dependencies.h"
#include "analysis/structure/flow.h"
#include "analysis/structure/matching.h"
#include "analysis/structure/predecessors.h"
#include "model/source.h"
#include "model/source_file.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace dragnet::structure {
namespace {

// A call whose callee became virtual is written as before.
bool same_body(const SourceFunction& a, const SourceFunction& b) {
  return a.body_hash == b.body_hash &&
         (a.calls.size() != b.calls.size() ||
          std::ranges::equal(a.calls, b.calls, {}, &SourceCall::kind, &SourceCall::kind));
}

// What a header defines may be gone because what includes it could not be read.
bool is_unread(const std::string& file, const std::vector<std::string>& unread) {
  return std::ranges::find(unread, file) != unread.end() || (!unread.empty() && is_header(file));
}

// For each loop of the new version the old one, from the blocks.
std::vector<std::optional<std::size_t>>
matched_loops(const ProgramFunction& function, std::vector<std::optional<std::size_t>> result) {
  for (std::size_t i = 0; i < function.next.blocks.size(); ++i) {
    const SourceBlock& block = *function.next.blocks[i].block;
    if (const auto& old = function.old_block[i]; old && block.kind == BlockKind::Loop)
      result[block.subject] = function.base.blocks[*old].block->subject;
  }
  return result;
}

// By collection, the loops that change it.
std::vector<std::set<std::size_t>> changers(const std::vector<std::vector<std::size_t>>& changes,
                                            std::size_t collections) {
  std::vector<std::set<std::size_t>> result(collections);
  for (std::size_t loop = 0; loop < changes.size(); ++loop)
    for (const std::size_t collection : changes[loop])
      result[collection].insert(loop);
  return result;
}

} // namespace

Program::Program(const SourceFacts& base, const SourceFacts& next) {
  CollectionNumbers collections;
  base_loops_ = dependencies(base, collections);
  old_collections_ = collections.size();
  next_loops_ = dependencies(next, collections);
  base_loops_.collections = collections.size();
  take(base, &ProgramFunction::base);
  take(next, &ProgramFunction::next);
  resolve_calls(&ProgramFunction::base);
  resolve_calls(&ProgramFunction::next);
  compare(next.unread);
  set_old_loops();
  affected_loops_ = affected(next_loops_.walks, &Correlation::changes, next_loops_.collections);
  find_predecessors(functions_);
  set_old_loops();
  refilled_loops_ =
      affected(next_loops_.known_walks(), &Correlation::known_changes, old_collections_);
  find_flows(base, next, collections);
  find_grown();
  find_stretched();
}

std::optional<FunctionNumber> Program::find(std::string_view name) const {
  const auto found = numbers_.find(std::string(name));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

FunctionNumber Program::number_of(const std::string& name) {
  const auto [place, is_new] = numbers_.emplace(name, functions_.size());
  if (is_new)
    functions_.push_back(
        {.name = name, .base = {}, .next = {}, .old_block = {}, .old_loop = {}, .predecessor = {}});
  return place->second;
}

void Program::take(const SourceFacts& facts, Version ProgramFunction::* version) {
  std::size_t loops = 0;
  for (const SourceFunction& source : facts.functions) {
    Version& taken = functions_[number_of(source.name)].*version;
    taken.source = &source;
    taken.blocks = placed_blocks(source);
    taken.first_loop = loops;
    loops += source.loops.size();
  }
}

void Program::resolve_calls(Version ProgramFunction::* version) {
  const std::size_t known = functions_.size();
  for (FunctionNumber i = 0; i < known; ++i) {
    const SourceFunction* source = (functions_[i].*version).source;
    if (source == nullptr)
      continue;
    std::vector<std::vector<FunctionNumber>> targets(source->calls.size());
    for (std::size_t call = 0; call < targets.size(); ++call)
      for (const std::string& name : source->calls[call].targets)
        targets[call].push_back(number_of(name));
    (functions_[i].*version).targets = std::move(targets);
  }
}

// What is gone from a file that could not be read is not removed, but unknown.
void Program::compare(const std::vector<std::string>& unread) {
  for (ProgramFunction& function : functions_) {
    const SourceFunction* base = function.base.source;
    const SourceFunction* next = function.next.source;
    if (next == nullptr) {
      function.fate =
          base == nullptr || is_unread(base->file, unread) ? Fate::Foreign : Fate::Removed;
      continue;
    }
    function.old_block.resize(function.next.blocks.size());
    function.old_loop.resize(next->loops.size());
    if (base == nullptr) {
      function.fate = Fate::Added;
      continue;
    }
    function.fate = same_body(*base, *next) ? Fate::Unchanged : Fate::Revised;
    function.old_block = matched(function.base.blocks, function.next.blocks);
    function.old_loop = matched_loops(function, std::move(function.old_loop));
  }
}

void Program::set_old_loops() {
  old_loops_.assign(next_loops_.walks.size(), std::nullopt);
  for (const ProgramFunction& function : functions_)
    for (std::size_t loop = 0; loop < function.old_loop.size(); ++loop)
      if (const auto& old = function.old_loop[loop])
        old_loops_[function.next.first_loop + loop] = before(function).first_loop + *old;
}

const Version& Program::before(const ProgramFunction& function) const {
  return function.predecessor ? functions_[function.predecessor->function].base : function.base;
}

// Of so many collections, the first ones, it is asked what changes them.
std::vector<bool> Program::affected(const ByLoop& walks, ByLoop Correlation::* changes,
                                    std::size_t asked) const {
  const std::size_t collections = next_loops_.collections;
  const auto before = changers(base_loops_.*changes, collections);
  const auto after = changers(next_loops_.*changes, collections);
  std::vector<bool> changed(collections);
  for (std::size_t collection = 0; collection < asked; ++collection) {
    std::set<std::size_t> kept;
    bool has_new = false;
    for (const std::size_t loop : after[collection])
      if (const auto& old = old_loops_[loop]; old && before[collection].contains(*old))
        kept.insert(*old);
      else
        has_new = true;
    changed[collection] = has_new || kept.size() != before[collection].size();
  }
  std::vector<bool> result;
  result.reserve(walks.size());
  for (const auto& collections_of_loop : walks)
    result.push_back(std::ranges::any_of(
        collections_of_loop, [&](std::size_t collection) { return changed[collection]; }));
  return result;
}

void Program::find_flows(const SourceFacts& base, const SourceFacts& next,
                         const CollectionNumbers& collections) {
  const auto flow = [&](const SourceFacts& facts, Version ProgramFunction::* version) {
    std::vector<FlowCaller> callers;
    callers.reserve(facts.functions.size());
    for (const SourceFunction& source : facts.functions) {
      const FunctionNumber number = numbers_.at(source.name);
      callers.push_back({.number = number, .blocks = &(functions_[number].*version).blocks});
    }
    return flow_of(facts, callers, collections);
  };
  base_flow_ = flow(base, &ProgramFunction::base);
  next_flow_ = flow(next, &ProgramFunction::next);
}

// The same call hands over another multiple of the same, or another number.
void Program::find_grown() {
  std::map<std::tuple<FunctionNumber, std::size_t, std::size_t>, const Handing*> before;
  for (const Handing& handing : base_flow_.handings)
    before.emplace(std::tuple(handing.caller, handing.block, handing.parameter), &handing);
  for (const Handing& handing : next_flow_.handings) {
    old_handings_.push_back(nullptr);
    const auto& old_block = functions_[handing.caller].old_block[handing.block];
    if (!old_block || handing.factor <= 0)
      continue;
    const auto old = before.find({handing.caller, *old_block, handing.parameter});
    if (old != before.end() && old->second->factor > 0 &&
        old->second->collection == handing.collection &&
        (old->second->factor != handing.factor || old->second->more != handing.more))
      old_handings_.back() = old->second;
  }
}

void Program::find_stretched() {
  std::vector<bool> grown(next_loops_.collections, false);
  for (std::size_t i = 0; i < old_handings_.size(); ++i)
    if (old_handings_[i] != nullptr)
      grown[next_flow_.handings[i].parameter] = true;
  for (bool news = true; std::exchange(news, false);) {
    const auto pass_on = [&](std::size_t from, std::size_t to) {
      news = news || (grown[from] && !grown[to]);
      grown[to] = grown[to] || grown[from];
    };
    for (const Handing& handing : next_flow_.handings)
      if (handing.collection)
        pass_on(*handing.collection, handing.parameter);
    for (const Same& same : next_flow_.same)
      pass_on(same.source, same.collection);
  }
  for (const auto& names : next_loops_.names)
    stretched_loops_.push_back(
        std::ranges::any_of(names, [&](std::size_t one) { return grown[one]; }));
}

} // namespace dragnet::structure
