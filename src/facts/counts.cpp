#include "facts/counts.h"

#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dragnet::facts {
namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;

bool holds(const CountedRegion& region, const Place& place) {
  return Place{region.line, region.column} <= place &&
         place < Place{region.end_line, region.end_column};
}

// Regions are nested: of those that hold a place, the one that begins last is innermost.
const CountedRegion* innermost(const std::vector<CountedRegion>& regions, const Place& place) {
  const CountedRegion* best = nullptr;
  for (const CountedRegion& region : regions)
    if (holds(region, place) &&
        (best == nullptr || Place{region.line, region.column} > Place{best->line, best->column} ||
         (region.line == best->line && region.column == best->column &&
          Place{region.end_line, region.end_column} < Place{best->end_line, best->end_column})))
      best = &region;
  return best;
}

using Executions = std::map<std::string, double>; // of functions, by name

constexpr const char* start = "main";

class FunctionCounter {
public:
  FunctionCounter(const SourceFunction& function, const CountedFunction& counted,
                  const Executions& executed)
      : function_(function), counted_(counted), executed_(executed),
        calls_(function.calls.size(), 0.0) {}

  SourceCounts run() {
    counts_.function = function_.name;
    counts_.calls = counted_.regions.front().count;
    visit(function_.body, counts_.calls);
    return std::move(counts_);
  }

  // How often each call was made, by its number.
  const std::vector<double>& calls() const { return calls_; }

private:
  double count_at(const SourceBlock& block, double around) const {
    if (block.line == 0)
      return around;
    const CountedRegion* region = innermost(counted_.regions, {block.line, block.column});
    return region == nullptr ? around : region->count;
  }

  void visit(const SourceBlock& block, double times) {
    counts_.blocks.push_back(times);
    counts_.own += times * block.weight;
    if (block.kind == BlockKind::Call)
      calls_[block.subject] += times;
    const double left = block.kind == BlockKind::Branch ? left_for_each(block, times) : times;
    for (const SourceBlock& part : block.parts)
      if (block.kind == BlockKind::Loop && part.line == 0)
        visit(part, hidden_iterations(part));
      else
        visit(part, part.line != 0                                    ? count_at(part, times)
                    : block.kind == BlockKind::Branch && leaves(part) ? 0
                                                                      : left);
  }

  // How often each part without a place was taken: what those with one leave, evenly; parts that
  // leave the function, such as those of assertions, never were.
  double left_for_each(const SourceBlock& branch, double times) const {
    double left = times;
    double unknown = 0;
    for (const SourceBlock& part : branch.parts) {
      left -= part.line == 0 ? 0 : count_at(part, 0);
      unknown += part.line == 0 && !leaves(part) ? 1 : 0;
    }
    return std::max(0.0, left) / std::max(1.0, unknown);
  }

  static bool leaves(const SourceBlock& block) {
    return block.kind == BlockKind::Exit ||
           (block.kind == BlockKind::Sequence && std::ranges::any_of(block.parts, leaves));
  }

  // A loop inside the library is counted by what it calls of ours; otherwise it is not known.
  double hidden_iterations(const SourceBlock& body) const {
    for (const SourceBlock& part : body.parts)
      if (part.kind == BlockKind::Call)
        for (const std::string& target : function_.calls[part.subject].targets)
          if (const auto found = executed_.find(target); found != executed_.end())
            return found->second;
    return 0;
  }

  const SourceFunction& function_;
  const CountedFunction& counted_;
  const Executions& executed_;
  SourceCounts counts_;
  std::vector<double> calls_;
};

// Divides the calls of a place among its targets by how often they were executed, otherwise evenly
// among those that nobody counts. Where all are counted and none was executed, such as the
// destructor that deleting nothing does not call, none was called.
void divide(const SourceCall& call, double times, const Executions& executed,
            const std::function<bool(const std::string&)>& is_counted,
            std::map<std::string, double>& callees) {
  double sum = 0;
  double uncounted = 0;
  for (const std::string& target : call.targets) {
    if (const auto found = executed.find(target); found != executed.end())
      sum += found->second;
    uncounted += is_counted(target) ? 0 : 1;
  }
  for (const std::string& target : call.targets) {
    const auto found = executed.find(target);
    if (sum > 0)
      callees[target] += found == executed.end() ? 0 : times * found->second / sum;
    else if (!is_counted(target))
      callees[target] += times / uncounted;
  }
}

class Joiner {
public:
  Joiner(const SourceFacts& facts, const std::vector<CountedFunction>& counted)
      : counted_(counted) {
    for (const SourceFunction& function : facts.functions) {
      by_name_.emplace(function.name, &function);
      by_place_.emplace(std::tuple(function.file, function.body.line, function.body.column),
                        &function);
    }
  }

  SourceProfile run() {
    std::vector<const SourceFunction*> functions;
    for (const CountedFunction& one : counted_) {
      functions.push_back(find(one));
      if (functions.back() != nullptr)
        executed_[functions.back()->name] += one.regions.front().count;
    }
    for (std::size_t i = 0; i < counted_.size(); ++i)
      if (functions[i] != nullptr && counted_[i].regions.front().count > 0)
        add(*functions[i], counted_[i]);
    add_foreign();
    add_unexplained();
    return std::move(profile_);
  }

private:
  const SourceFunction* find(const CountedFunction& counted) const {
    if (counted.regions.empty())
      return nullptr;
    if (const auto found = by_name_.find(counted.name); found != by_name_.end())
      return found->second;
    const CountedRegion& body = counted.regions.front();
    const auto found = by_place_.find({counted.file, body.line, body.column});
    return found == by_place_.end() ? nullptr : found->second;
  }

  void add(const SourceFunction& function, const CountedFunction& counted) {
    FunctionCounter counter(function, counted, executed_);
    const SourceCounts counts = counter.run();
    profile_.cost += counts.own;
    put(counts);
    std::map<std::string, double> callees;
    const auto is_counted = [&](const std::string& name) { return by_name_.contains(name); };
    for (std::size_t i = 0; i < function.calls.size(); ++i)
      if (counter.calls()[i] > 0)
        divide(function.calls[i], counter.calls()[i], executed_, is_counted, callees);
    for (const auto& [callee, calls] : callees)
      if (calls > 0)
        profile_.edges.push_back({.caller = function.name, .callee = callee, .calls = calls});
  }

  // What is local to each unit that includes it, or stands in several instances, is counted in
  // each.
  void put(const SourceCounts& counts) {
    const auto [place, is_new] = numbers_.emplace(counts.function, profile_.functions.size());
    if (is_new) {
      profile_.functions.push_back(counts);
      return;
    }
    SourceCounts& sum = profile_.functions[place->second];
    sum.calls += counts.calls;
    sum.own += counts.own;
    for (std::size_t i = 0; i < sum.blocks.size(); ++i)
      sum.blocks[i] += counts.blocks[i];
  }

  void add_foreign() {
    std::map<std::string, double> foreign;
    for (const SourceEdge& edge : profile_.edges)
      if (!by_name_.contains(edge.callee))
        foreign[edge.callee] += edge.calls;
    for (const auto& [name, calls] : foreign) {
      const double own = calls * library_operations;
      profile_.functions.push_back({.function = name, .calls = calls, .own = own, .blocks = {}});
      profile_.cost += own;
    }
  }

  void add_unexplained() {
    if (!executed_.contains(start))
      return;
    Executions unexplained = executed_;
    unexplained.erase(start);
    for (const SourceEdge& edge : profile_.edges)
      if (const auto found = unexplained.find(edge.callee); found != unexplained.end())
        found->second -= edge.calls;
    for (SourceEdge& edge : profile_.edges)
      if (const auto found = unexplained.find(edge.callee);
          edge.caller == start && found != unexplained.end() && found->second > 0) {
        edge.calls += found->second;
        unexplained.erase(found);
      }
    for (const auto& [name, calls] : unexplained)
      if (calls > 0)
        profile_.edges.push_back({.caller = start, .callee = name, .calls = calls});
  }

  const std::vector<CountedFunction>& counted_;
  std::map<std::string, const SourceFunction*> by_name_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, const SourceFunction*> by_place_;
  Executions executed_;
  SourceProfile profile_;
  std::map<std::string, std::size_t> numbers_;
};

} // namespace

SourceProfile joined(const SourceFacts& facts, const std::vector<CountedFunction>& counted) {
  return Joiner(facts, counted).run();
}

void set_prices(SourceProfile& profile, const LibraryCosts& library) {
  for (SourceCounts& counts : profile.functions) {
    const auto price = library.find(counts.function);
    if (!counts.blocks.empty() || price == library.end())
      continue;
    profile.cost += counts.calls * price->second - counts.own;
    counts.own = counts.calls * price->second;
  }
}

} // namespace dragnet::facts
