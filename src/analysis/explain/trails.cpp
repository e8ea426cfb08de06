#include "analysis/explain/trails.h"

#include "model/function.h"
#include "model/profile.h"
#include "model/stacks.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::explain {
namespace {

// The name without what tells clones and namesakes apart: ".isra.0", "@file.c". A function may move
// to another binary of the build; what it is called stays. One without a name, or of the system, is
// known by its binary.
std::string essential_name(const FunctionId& function) {
  const bool nameless = function.name.empty() || function.name.starts_with("0x");
  std::string name =
      nameless ? "?" : function.name.substr(0, function.name.find_first_of("@#.", 1));
  if (is_of_build(function) && !nameless)
    return name;
  return function.binary.substr(function.binary.find_last_of('/') + 1) + ":" + name;
}

// A function that calls itself is at any depth the same path.
void append(std::vector<std::size_t>& path, std::size_t function, Detail detail) {
  if (detail == Detail::Essential && !path.empty() && path.back() == function)
    return;
  path.push_back(function);
}

struct PathHash {
  std::size_t operator()(const std::vector<std::size_t>& path) const {
    std::size_t hash = path.size();
    for (const std::size_t function : path)
      hash = (hash ^ function) * 0x9e3779b97f4a7c15ULL;
    return hash ^ (hash >> 32U);
  }
};

class Collector {
public:
  Collector(std::size_t runs, Age age, std::span<const std::string> metrics,
            FunctionNumbers& numbers)
      : runs_(runs), age_(age), metrics_(metrics), numbers_(numbers) {}

  void add(const StackProfile& profile, std::size_t run) {
    std::vector<Step> steps;
    steps.reserve(profile.frames.size());
    for (const StackFrame& frame : profile.frames)
      steps.push_back({.function = age_ == Age::Old ? numbers_.old_function(frame.function)
                                                    : numbers_.new_function(frame.function),
                       .of_build = is_of_build(frame.function)});
    for (const StackUse& use : profile.uses)
      if (std::ranges::find(metrics_, use.metric) != metrics_.end())
        add(profile, use, run, path_of(profile.stacks[use.stack], steps));
  }

  std::vector<Trail> take() {
    std::vector<Trail> trails;
    trails.reserve(trails_.size());
    for (auto& [path, trail] : trails_)
      trails.push_back(std::move(trail));
    std::ranges::sort(trails, {}, &Trail::path);
    return trails;
  }

private:
  struct Step {
    std::size_t function = 0;
    bool of_build = false;
  };

  void add(const StackProfile& profile, const StackUse& use, std::size_t run,
           const std::vector<std::size_t>& path) {
    Trail& trail = trails_[path];
    trail.path = path;
    TrailUse& of_metric = trail.uses[use.metric];
    const auto amount = static_cast<double>(use.amount);
    double& most = most_[&of_metric];
    if (of_metric.frames.empty() || amount > most) {
      of_metric.frames.clear();
      for (const std::size_t frame : profile.stacks[use.stack])
        of_metric.frames.push_back(profile.frames[frame]);
      most = amount;
    }
    of_metric.runs.resize(runs_);
    of_metric.runs[run].calls += static_cast<double>(use.calls);
    of_metric.runs[run].amount += amount;
    if (!use.file.empty())
      of_metric.files[use.file] += amount / static_cast<double>(runs_);
  }

  std::vector<std::size_t> path_of(const std::vector<std::size_t>& stack,
                                   const std::vector<Step>& steps) const {
    const bool all =
        numbers_.detail() == Detail::Complete ||
        std::ranges::none_of(stack, [&](std::size_t frame) { return steps[frame].of_build; });
    std::vector<std::size_t> path;
    for (const std::size_t frame : stack)
      if (all || steps[frame].of_build)
        append(path, steps[frame].function, numbers_.detail());
    return path;
  }

  std::size_t runs_;
  Age age_;
  std::span<const std::string> metrics_;
  FunctionNumbers& numbers_;
  std::unordered_map<std::vector<std::size_t>, Trail, PathHash> trails_;
  std::unordered_map<const TrailUse*, double> most_; ///< of a stack in a run
};

} // namespace

FunctionNumbers::FunctionNumbers(Detail detail, const Difference& difference) : detail_(detail) {
  for (const FunctionChange& change : difference.changes)
    if (!change.old_name.empty())
      new_names_.emplace(FunctionId{change.binary, change.old_name}, change.name);
}

std::size_t FunctionNumbers::old_function(const FunctionId& function) {
  const auto found = new_names_.find(function);
  return number(found == new_names_.end() ? function : FunctionId{function.binary, found->second});
}

std::size_t FunctionNumbers::new_function(const FunctionId& function) {
  return number(function);
}

std::size_t FunctionNumbers::number(const FunctionId& function) {
  const std::string name = detail_ == Detail::Complete ? function.binary + '\0' + function.name
                                                       : essential_name(function);
  const auto [found, added] = numbers_.emplace(name, names_.size());
  if (added)
    names_.push_back(detail_ == Detail::Complete ? function.name : name);
  return found->second;
}

std::vector<Trail> trails_of(std::span<const WatchedRun* const> runs, Age age,
                             std::span<const std::string> metrics, FunctionNumbers& numbers) {
  Collector collector(runs.size(), age, metrics, numbers);
  for (std::size_t run = 0; run < runs.size(); ++run)
    collector.add(runs[run]->profile, run);
  return collector.take();
}

bool is_of_build(const FunctionId& function) {
  return !function.binary.empty() && !function.binary.starts_with('/') &&
         !function.binary.starts_with('[');
}

} // namespace dragnet::explain
